import Glibc

/// What libFuzzer calls for each input that it makes up.
///
/// See [libFuzzer](https://llvm.org/docs/LibFuzzer.html#fuzz-target).
@_cdecl("LLVMFuzzerTestOneInput")
func check(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(BrokenProperty) {
        try subject.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        complain("\(subject.rawValue): \(error)")
    }
    return 0
}

/// The beginning of the program, under the name that the package manager gives every `main`: all is left to libFuzzer.
///
/// See [libFuzzer](https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library).
@_cdecl("crawl_fuzz_main")
func begin(_ count: CInt, _ arguments: Arguments?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, check)
}

typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments?>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let subject: Subject = {
    let name = getenv("CRAWL_FUZZ_SUBJECT").map { String(cString: $0) } ?? ""
    guard let subject = Subject(rawValue: name) else {
        complain("CRAWL_FUZZ_SUBJECT is one of \(Subject.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return subject
}()

/// Ends the process so that libFuzzer keeps the input.
private func complain(_ sentence: String) -> Never {
    var line = sentence + "\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    abort()
}
