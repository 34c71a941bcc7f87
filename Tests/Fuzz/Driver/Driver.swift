import Glibc

/// The entry of libFuzzer, which brings its own `main`: one input, checked as `CRAWL_FUZZ_SUBJECT` says.
///
/// See [libFuzzer](https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do throws(BrokenProperty) {
        try subject.check(Array(UnsafeBufferPointer(start: start, count: count)))
    } catch {
        complain("\(subject.rawValue): \(error)")
    }
    return 0
}

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
