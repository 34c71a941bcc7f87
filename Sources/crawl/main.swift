import CrawlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#endif

Platform.openStandardDescriptors()
ProcessMemory.returnLargeBlocks()
SystemLimits.prepare()
SignalWatcher.holdSignals()
if let refusal = SystemLimits.refusal {
    // No watcher is there to take them.
    SignalWatcher.letSignalsGo()
    _exit(ErrorReport(refusal).print())
}
let code = await CommandRunner.run(
    Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
CursorGuard.restore()
#if LEAK_CHECK
    LeakCheck.run()
#endif
// Not `exit`: the libraries' exit handlers would take their state away from threads that are still ending, and now and
// then a crawl that is complete would crash. Nothing is buffered, what is to be written has been written.
_exit(code)
