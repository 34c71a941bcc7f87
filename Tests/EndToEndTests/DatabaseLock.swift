import TestSupport

/// Another program, the sqlite3 shell, that holds the write lock of a scene's database until it is let go.
final class DatabaseLock: Sendable {
    private let program: Program
    private let scene: Scene

    /// Takes the lock; gives it back that many seconds after it was told to let go.
    init(_ scene: Scene, lingering seconds: Double = 0) throws {
        self.scene = scene
        // At most some minutes, whatever becomes of the test.
        let wait = """
            touch lock-taken; n=0; while [ ! -e lock-released ] && [ $n -lt 12000 ]; do sleep 0.02; n=$((n+1)); done; \
            sleep \(seconds)
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

    /// Tells the other program to let go.
    func letGo() {
        try? scene.write([], to: "lock-released")
    }

    /// Lets the other program give the lock back, and waits for its end.
    func release() async {
        letGo()
        _ = await program.end()
    }
}
