import CSQLite
import CrawlCore
import Glibc

/// SQLite's own file system, which notes what is written into folders that a test has asked for.
///
/// It becomes SQLite's default in the process of the tests. A file elsewhere gets the methods that it would have had.
/// https://www.sqlite.org/vfs.html
enum RecordingFileSystem {
    private static let logs = Locked<[String: WriteLog]>([:])

    /// Notes from now on what SQLite writes into a folder, which is named as SQLite does: absolute, links resolved.
    static func record(_ folder: String, in log: WriteLog) {
        _ = installation
        logs.withLock { $0[folder] = log }
    }

    /// Notes nothing any more.
    static func stop(_ folder: String) {
        logs.withLock { $0[folder] = nil }
    }

    // Set once, before SQLite knows of it, and only read after that.
    fileprivate nonisolated(unsafe) static let real: UnsafeMutablePointer<sqlite3_vfs> = sqlite3_vfs_find(nil)

    /// Where in a file's memory, behind what SQLite's own file system keeps there, a pointer to `RecordedFile` lies.
    fileprivate static let place = (Int(real.pointee.szOsFile) + 15) & ~15

    private static let installation: Bool = {
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: real.pointee)
        system.pointee.zName = UnsafePointer(strdup("recording"))
        system.pointee.szOsFile = Int32(place + MemoryLayout<UnsafeRawPointer>.size)
        system.pointee.xOpen = { _, name, file, flags, outFlags in
            let path = name.map { String(cString: $0) }
            let isThere = path.map { access($0, F_OK) == 0 } ?? true
            let code = real.pointee.xOpen(real, name, file, flags, outFlags)
            if code == SQLITE_OK, let path, let file { watch(path, file, flags, isThere: isThere) }
            return code
        }
        system.pointee.xDelete = { _, name, isFolderSynced in
            let code = real.pointee.xDelete(real, name, isFolderSynced)
            if code == SQLITE_OK, let name, let (log, name) = log(of: String(cString: name)) {
                log.append(.removed(name, isFolderSynced: isFolderSynced != 0))
            }
            return code
        }
        return sqlite3_vfs_register(system, 1) == SQLITE_OK
    }()

    private static func log(of path: String) -> (log: WriteLog, name: String)? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        let log = logs.withLock { $0[String(path[..<slash])] }
        return log.map { ($0, String(path[path.index(after: slash)...])) }
    }

    /// Puts methods that note what they do in the place of the file's own.
    private static func watch(
        _ path: String, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32, isThere: Bool
    ) {
        guard let (log, name) = log(of: path), let own = file.pointee.pMethods else { return }
        if !isThere { log.append(.made(name)) }
        // The first time that SQLite syncs a log that it may have made, it syncs the folder as well (`os_unix.c`).
        let isLog = flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0 && flags & SQLITE_OPEN_CREATE != 0
        let recorded = RecordedFile(name: name, log: log, own: own, syncsFolder: isLog)
        UnsafeMutableRawPointer(file).storeBytes(
            of: Unmanaged.passRetained(recorded).toOpaque(), toByteOffset: place, as: UnsafeMutableRawPointer.self)
        file.pointee.pMethods = UnsafePointer(recorded.methods)
    }
}

/// A file whose writes are noted.
private final class RecordedFile {
    let name: String
    let log: WriteLog
    let own: UnsafePointer<sqlite3_io_methods>
    let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var syncsFolder: Bool

    init(name: String, log: WriteLog, own: UnsafePointer<sqlite3_io_methods>, syncsFolder: Bool) {
        self.name = name
        self.log = log
        self.own = own
        self.syncsFolder = syncsFolder
        methods.initialize(to: own.pointee)
        methods.pointee.xWrite = { file, bytes, count, offset in
            RecordedFile.of(file) { recorded in
                let code = recorded.own.pointee.xWrite(file, bytes, count, offset)
                let written = Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                recorded.log.append(.wrote(recorded.name, at: Int(offset), written))
                return code
            }
        }
        methods.pointee.xTruncate = { file, size in
            RecordedFile.of(file) { recorded in
                let code = recorded.own.pointee.xTruncate(file, size)
                recorded.log.append(.cut(recorded.name, to: Int(size)))
                return code
            }
        }
        methods.pointee.xSync = { file, flags in
            RecordedFile.of(file) { recorded in
                let code = recorded.own.pointee.xSync(file, flags)
                recorded.log.append(.synced(recorded.name, isFolderSynced: recorded.syncsFolder))
                recorded.syncsFolder = false
                return code
            }
        }
        methods.pointee.xClose = { file in
            RecordedFile.of(file) { recorded in
                file?.pointee.pMethods = recorded.own
                let code = recorded.own.pointee.xClose(file)
                Unmanaged.passUnretained(recorded).release()
                return code
            }
        }
    }

    deinit {
        methods.deallocate()
    }

    private static func of(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ body: (RecordedFile) -> Int32
    ) -> Int32 {
        guard let file else { return SQLITE_MISUSE }
        let pointer = UnsafeRawPointer(file).load(
            fromByteOffset: RecordingFileSystem.place, as: UnsafeRawPointer.self)
        return body(Unmanaged<RecordedFile>.fromOpaque(pointer).takeUnretainedValue())
    }
}
