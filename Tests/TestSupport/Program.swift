import CrawlCore
import Foundation

/// A program started by a test, with its output in files.
///
/// Output goes to files and not through pipes, so that no reader has to keep up and a killed program's last words
/// are kept.
package final class Program: Sendable {
    /// How a program ended and what it said.
    package struct Result: Sendable, CustomStringConvertible {
        /// The exit code, or nil where a signal ended it.
        package var exitCode: Int32?
        /// The signal that ended it, or nil.
        package var signal: Int32?
        package var output: String
        package var errors: String
        /// How long it ran.
        package var seconds: Double
        /// How long it ran on after the last signal that `end(by:when:)` sent.
        package var secondsAfterSignal: Double?
        /// The most memory that was resident at a time, in bytes; nil unless `endWatchingMemory` waited.
        package var peakMemory: Int?

        package var description: String {
            "exit \(exitCode.map(String.init) ?? "by signal \(signal ?? 0)")\n--- stdout\n\(output)\n--- stderr\n\(errors)"
        }
    }

    package let processIdentifier: pid_t
    private let started = ContinuousClock.now
    private let folder: TemporaryFolder
    private let reaped = Locked(false)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - environment: Variables on top of a small clean environment; the test's own variables are not passed on, but for
    ///     the options of sanitizers.
    ///   - workingFolder: The folder that it runs in.
    ///   - shellPrefix: A shell line run before the program, such as `ulimit -f 100`.
    ///   - terminal: A terminal in place of the files for output; then `output` and `errors` stay empty.
    package init(
        _ executable: String, _ arguments: [String], environment: [String: String] = [:], workingFolder: String,
        shellPrefix: String? = nil, terminal: PseudoTerminal? = nil
    ) throws {
        folder = try TemporaryFolder()
        var variables = ["PATH": "/usr/bin:/bin", "HOME": workingFolder, "LC_ALL": "C.UTF-8", "TZ": "UTC"]
        variables.merge(Sanitizer.options) { $1 }
        variables.merge(environment) { $1 }
        let line = "cd \"$0\" && " + (shellPrefix.map { $0 + " && " } ?? "") + "exec \"$@\""
        let words = ["/bin/sh", "-c", line, workingFolder, executable] + arguments

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal {
            for descriptor: Int32 in 0...2 {
                posix_spawn_file_actions_adddup2(&actions, terminal.terminal, descriptor)
            }
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, folder.file("stdout"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, folder.file("stderr"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        var ordinarySignals = sigset_t()
        sigfillset(&ordinarySignals)
        posix_spawnattr_setsigdefault(&attributes, &ordinarySignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let argv = words.map { strdup($0) } + [nil]
        let envp = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer {
            for pointer in argv + envp { free(pointer) }
        }
        var pid: pid_t = 0
        let status = posix_spawn(&pid, words[0], &actions, &attributes, argv, envp)
        guard status == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: status) ?? .ENOENT)
        }
        processIdentifier = pid
    }

    deinit {
        if !reaped.withLock({ $0 }) {
            kill(processIdentifier, SIGKILL)
            waitpid(processIdentifier, nil, 0)
        }
    }

    /// Whether `end` has seen it end.
    package var hasEnded: Bool { reaped.withLock { $0 } }

    /// What it has written to standard output so far.
    package var output: String { read("stdout") }
    /// What it has written to standard error so far.
    package var errors: String { read("stderr") }

    private func read(_ name: String) -> String {
        let data = FileManager.default.contents(atPath: folder.file(name)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }

    /// Sends a signal to this program alone.
    package func send(_ signal: Int32) {
        reaped.withLock { reaped in
            if !reaped { kill(processIdentifier, signal) }
        }
    }

    /// Waits for the end on a thread of its own; a program that outlives `seconds` is killed.
    package func end(within seconds: Double = Sanitizer.patience) async -> Result {
        await Self.onOwnThread { self.waitForEnd(seconds) }
    }

    /// Waits for the end and looks every few milliseconds at the most memory that was resident so far.
    ///
    /// What `wait4` tells is no use: it counts the memory of the process that started this one.
    package func endWatchingMemory(within seconds: Double = Sanitizer.patience) async -> Result {
        await Self.onOwnThread { self.waitForEnd(seconds, watchesMemory: true) }
    }

    /// Sends a signal as soon as `condition` holds, and waits for the end.
    ///
    /// A thread of its own watches, for the threads that tests share may all be busy for seconds, and the program would
    /// long have ended.
    package func end(
        by signal: Int32, when condition: @escaping @Sendable () -> Bool, within seconds: Double = Sanitizer.patience
    ) async -> Result {
        await end(by: [signal], when: condition, within: seconds)
    }

    /// Sends several signals, each as soon as the one before has been taken.
    package func end(
        by signals: [Int32], when condition: @escaping @Sendable () -> Bool, within seconds: Double = Sanitizer.patience
    ) async -> Result {
        await Self.onOwnThread {
            let deadline = Date(timeIntervalSinceNow: seconds)
            while !condition(), !self.isGone, Date() < deadline { usleep(500) }
            for (signal, before) in zip(signals, [nil] + signals.map(Optional.some)) {
                while let before, self.isPending(before), !self.isGone, Date() < deadline { usleep(200) }
                self.send(signal)
            }
            let sent = ContinuousClock.now
            var result = self.waitForEnd(seconds)
            result.secondsAfterSignal = (ContinuousClock.now - sent) / .seconds(1)
            return result
        }
    }

    /// Stops it, as Ctrl-Z does, as soon as `condition` holds; tells whether it did before the end.
    package func stop(when condition: @escaping @Sendable () -> Bool) async -> Bool {
        await Self.onOwnThread {
            let deadline = Date(timeIntervalSinceNow: Sanitizer.patience)
            while !condition(), !self.isGone, Date() < deadline { usleep(500) }
            self.send(SIGSTOP)
            while !self.isSuspended, !self.isGone, Date() < deadline { usleep(500) }
            return self.isSuspended
        }
    }

    /// Does something that must not wait for the threads that tests share.
    package static func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }

    /// Whether it has ended, whether or not anybody has waited for it.
    package var isGone: Bool {
        var information = siginfo_t()
        return waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOHANG | WNOWAIT) == 0
            && information.si_signo == SIGCHLD
    }

    /// Waits for the end on the thread that calls.
    package func waitForEnd(_ seconds: Double, watchesMemory: Bool = false) -> Result {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var status: Int32 = 0
        var killed = false
        var peak: Int?
        while true {
            if watchesMemory { peak = peakMemory ?? peak }
            let ended = reaped.withLock { reaped in
                if reaped { return true }
                reaped = waitpid(processIdentifier, &status, WNOHANG) == processIdentifier
                return reaped
            }
            if ended { break }
            if !killed, Date() > deadline {
                kill(processIdentifier, SIGKILL)
                killed = true
            }
            usleep(2_000)
        }
        let signal = status & 0x7f
        return Result(
            exitCode: signal == 0 ? (status >> 8) & 0xff : nil, signal: signal == 0 ? nil : signal, output: output,
            errors: errors, seconds: (ContinuousClock.now - started) / .seconds(1), peakMemory: peak)
    }

    /// Waits until `condition` holds, at most `seconds`; tells whether it did.
    package static func wait(
        within seconds: Double = Sanitizer.patience, until condition: () throws -> Bool
    ) async rethrows -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while Date() < deadline {
            if try condition() { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return try condition()
    }

    /// The path of a program built beside the running tests.
    package static func built(_ name: String) throws -> String {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(fileURLWithPath: tests).deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate.path }
            folder.deleteLastPathComponent()
        }
        throw POSIXError(.ENOENT)
    }
}

extension Program {
    /// Whether a signal that was sent has not been taken yet.
    package func isPending(_ signal: Int32) -> Bool {
        let masks = status.filter { $0.hasPrefix("ShdPnd:") || $0.hasPrefix("SigPnd:") }
        return masks.contains { line in
            let mask = UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0
            return mask & (1 << UInt64(signal - 1)) != 0
        }
    }

    /// Whether it is stopped, as Ctrl-Z does.
    package var isSuspended: Bool {
        status.contains { $0.hasPrefix("State:\tT") }
    }

    /// The most memory that was resident at a time so far, in bytes.
    package var peakMemory: Int? {
        guard let line = status.first(where: { $0.hasPrefix("VmHWM:") }) else { return nil }
        return line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    }

    /// What the system tells of the process, line by line.
    private var status: [Substring] {
        let text = try? String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
        return (text ?? "").split(separator: "\n")
    }
}
