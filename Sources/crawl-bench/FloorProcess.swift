import CBenchFloor
import Glibc

/// The hidden subcommand that runs the floor, so that it is measured as a whole process like the program itself.
enum FloorProcess {
    static let name = "floor"

    static func run(_ arguments: inout Arguments) throws -> Int32 {
        guard let url = try arguments.text("--url"), let database = try arguments.text("--db") else {
            throw UsageError("the floor needs --url and --db")
        }
        let source = try arguments.text("--source") == "posts" ? BENCH_FLOOR_POSTS : BENCH_FLOOR_USERS
        let count = try arguments.number("--count", default: 100_000)
        let lanes = try arguments.number("--lanes", default: 4)
        let pageSize = try arguments.number("--page-size", default: 100)
        try arguments.finish()
        var message = [CChar](repeating: 0, count: 512)
        let code = url.withCString { url in
            database.withCString { database in
                var plan = bench_floor_plan(
                    source: source, url: url, database: database, count: Int64(count), lanes: Int32(lanes),
                    page_size: Int32(pageSize))
                return bench_floor_run(&plan, &message, message.count)
            }
        }
        let reason = String(decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        if code != 0 { TextFile.write(reason + "\n", to: STDERR_FILENO) }
        return code
    }
}
