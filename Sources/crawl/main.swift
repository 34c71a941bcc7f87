#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#endif

Platform.openStandardDescriptors()
SignalWatcher.holdSignals()
let arguments = Array(CommandLine.arguments.dropFirst())
let environment = ProcessInfo.processInfo.environment
Task { @concurrent in
    exit(await CommandRunner.run(arguments, environment: environment))
}
// Not `await`, for which libdispatch would lend this thread to the main queue and let every signal through to it.
while true { pause() }
