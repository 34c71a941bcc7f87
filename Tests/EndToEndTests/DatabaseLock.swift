import TestSupport

/// Another program, the sqlite3 shell, that holds the write lock of a scene's database until it is released.
final class DatabaseLock: Sendable {
    private let program: Program
    private let scene: Scene

    init(_ scene: Scene) throws {
        self.scene = scene
        // At most 30 s, whatever becomes of the test.
        let wait = """
            touch lock-taken; n=0; while [ ! -e lock-released ] && [ $n -lt 1500 ]; do sleep 0.02; n=$((n+1)); done
            """
        program = try Program(
            "/usr/bin/sqlite3",
            [scene.database, ".timeout 5000", "BEGIN IMMEDIATE", ".shell \(wait)", "ROLLBACK"],
            workingFolder: scene.folder.path)
    }

    /// Waits until the other program has the lock; tells whether it got it.
    func isTaken() async -> Bool {
        await Program.wait { scene.exists("lock-taken") }
    }

    /// Lets the other program give the lock back, and waits for its end.
    func release() async {
        try? scene.write([], to: "lock-released")
        _ = await program.end()
    }
}
