import StandInAPI

/// What a disk holds of what a program has written to it: for certain only what was synced.
///
/// The names in the folder become durable in the order in which they were made and removed, as file systems with a
/// journal do it; of writes into files each may have arrived, in any order, in whole or in part.
struct Disk {
    /// What becomes of writes that were not synced when the power goes.
    enum Loss: CaseIterable {
        /// All are lost.
        case everything
        /// None is lost, as when the program alone is killed.
        case nothing
        /// Each is lost or not.
        case some
        /// Each sector of each is lost or not; in a log it may as well hold zeros or anything else.
        case torn
    }

    private enum Change {
        case write(at: Int, [UInt8])
        case cut(to: Int)
    }

    private struct File {
        var durable: [UInt8] = []
        var pending: [Change] = []
    }

    private enum NameChange {
        case made(String, file: Int)
        case removed(String)
    }

    private static let sector = 512

    private var files: [File] = []
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pendingNames: [NameChange] = []

    /// A disk that holds these files for certain.
    init(_ contents: [String: [UInt8]]) {
        for (name, bytes) in contents {
            names[name] = files.count
            files.append(File(durable: bytes))
        }
        durableNames = names
    }

    /// Does what the program did.
    mutating func apply(_ entry: WriteLog.Entry) {
        switch entry {
        case .made(let name):
            names[name] = files.count
            pendingNames.append(.made(name, file: files.count))
            files.append(File())
        case .removed(let name, let isFolderSynced):
            names[name] = nil
            pendingNames.append(.removed(name))
            if isFolderSynced { syncFolder() }
        case .wrote(let name, let offset, let bytes):
            if let file = names[name] { files[file].pending.append(.write(at: offset, bytes)) }
        case .cut(let name, let size):
            if let file = names[name] { files[file].pending.append(.cut(to: size)) }
        case .synced(let name, let isFolderSynced):
            if let file = names[name] {
                files[file].durable = Self.bytes(of: files[file])
                files[file].pending = []
            }
            if isFolderSynced { syncFolder() }
        case .reported:
            break
        }
    }

    private mutating func syncFolder() {
        durableNames = names
        pendingNames = []
    }

    /// The length of a file as the program sees it.
    func length(of name: String) -> Int {
        names[name].map { Self.bytes(of: files[$0]).count } ?? 0
    }

    /// What is found after the power went.
    func contents(after loss: Loss, using random: inout some RandomNumberGenerator) -> [String: [UInt8]] {
        var found = durableNames
        let survivors =
            switch loss {
            case .everything: 0
            case .nothing: pendingNames.count
            case .some, .torn: Int.random(in: 0...pendingNames.count, using: &random)
            }
        for change in pendingNames.prefix(survivors) {
            switch change {
            case .made(let name, let file): found[name] = file
            case .removed(let name): found[name] = nil
            }
        }
        return Dictionary(
            uniqueKeysWithValues: found.map { name, file in
                var bytes = files[file].durable
                for change in files[file].pending {
                    Self.apply(change, to: &bytes, after: loss, isLog: name.contains("-"), using: &random)
                }
                return (name, bytes)
            })
    }

    private static func bytes(of file: File) -> [UInt8] {
        var bytes = file.durable
        for change in file.pending { apply(change, to: &bytes) }
        return bytes
    }

    private static func apply(_ change: Change, to bytes: inout [UInt8]) {
        switch change {
        case .cut(let size): resize(&bytes, to: size)
        case .write(let offset, let new):
            if bytes.count < offset + new.count { resize(&bytes, to: offset + new.count) }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }

    private static func resize(_ bytes: inout [UInt8], to size: Int) {
        if size < bytes.count {
            bytes.removeLast(bytes.count - size)
        } else {
            bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
    }

    private static func apply(
        _ change: Change, to bytes: inout [UInt8], after loss: Loss, isLog: Bool,
        using random: inout some RandomNumberGenerator
    ) {
        guard loss == .torn, case .write(let offset, let new) = change else {
            let survives =
                switch loss {
                case .everything: false
                case .nothing: true
                case .some, .torn: Bool.random(using: &random)
                }
            if survives { apply(change, to: &bytes) }
            return
        }
        var start = 0
        while start < new.count {
            // Up to the next border of a sector of the file.
            let end = min(new.count, start + sector - (offset + start) % sector)
            var part = Array(new[start..<end])
            let fate = Int.random(in: 0..<8, using: &random)
            if isLog, fate == 6 { part = [UInt8](repeating: 0, count: part.count) }
            if isLog, fate == 7 { part = part.map { _ in UInt8.random(in: 0...255, using: &random) } }
            if fate < 4 || isLog && fate >= 6 { apply(.write(at: offset + start, part), to: &bytes) }
            start = end
        }
    }
}
