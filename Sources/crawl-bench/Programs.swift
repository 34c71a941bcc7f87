import Glibc

/// The programs that are measured, as they were built.
struct Programs {
    /// The `crawl` beside this program.
    let crawl: String
    /// This program, which also plays the server and the floor in processes of their own.
    let bench: String
    /// The sqlite3 shell, found by its name.
    let sqlite = "sqlite3"

    /// - Throws: `BenchFailure` where `crawl` is not built, or this is a debug build, whose figures say nothing.
    init() throws {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { throw BenchFailure("the program's own path cannot be read", errno: errno) }
        bench = String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
        crawl = bench.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/crawl"
        guard access(crawl, X_OK) == 0 else {
            throw BenchFailure("there is no \(crawl)\nBuild it first: swift build -c release")
        }
        #if DEBUG
            throw BenchFailure("this is a debug build\nMeasure a release build: swift run -c release crawl-bench")
        #endif
    }
}
