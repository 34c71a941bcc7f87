import Glibc

/// A program started by the benchmark: measured from outside, and ended by its process id.
///
/// What a process reports as its peak is at least the memory of the process that started it. The benchmark itself
/// therefore stays small: pages are held by the server's process, tables are counted by SQLite.
struct ChildProcess {
    let identifier: pid_t
    private let name: String
    private let started: ContinuousClock.Instant

    /// Starts a program with a small clean environment.
    ///
    /// - Parameters:
    ///   - input: A descriptor to be its standard input; nil for none.
    ///   - output: A descriptor to be its standard output; nil to discard it.
    ///   - errors: The file that takes its standard error.
    /// - Throws: `BenchFailure` where it cannot be started.
    init(_ executable: String, _ arguments: [String], input: Int32? = nil, output: Int32? = nil, errors: String) throws
    {
        name = ([executable.split(separator: "/").last.map(String.init) ?? executable] + arguments.prefix(2))
            .joined(separator: " ")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in [(STDIN_FILENO, input), (STDOUT_FILENO, output)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)

        let argv = ([executable] + arguments).map { strdup($0) } + [nil]
        let environment = ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent", "LC_ALL=C.UTF-8"]
        let envp = environment.map { strdup($0) } + [nil]
        defer {
            for pointer in argv + envp { free(pointer) }
        }
        var identifier: pid_t = 0
        started = .now
        let code = posix_spawnp(&identifier, executable, &actions, nil, argv, envp)
        guard code == 0 else { throw BenchFailure("\(executable) cannot be started", errno: code) }
        self.identifier = identifier
    }

    /// Waits for the end, which has to be a good one.
    ///
    /// - Parameter errors: The file that took its standard error.
    /// - Throws: `BenchFailure` where it ends otherwise, takes more than `limit` seconds, or is interrupted.
    func measurement(errors: String, limit: UInt32 = 600) throws -> Measurement {
        var status: Int32 = 0
        var usage = rusage()
        alarm(limit)
        defer { alarm(0) }
        while wait4(identifier, &status, 0, &usage) != identifier {
            guard errno == EINTR else { throw BenchFailure("\(name) cannot be waited for", errno: errno) }
            guard let signal = Interruption.signal else { continue }
            end()
            throw BenchFailure(
                signal == SIGALRM ? "\(name) did not end within \(limit) seconds" : "interrupted during \(name)")
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        guard status == 0 else {
            let end = status & 0x7f == 0 ? "exit code \(status >> 8 & 0xff)" : "signal \(status & 0x7f)"
            let words = (try? TextFile.beginning(of: errors)) ?? ""
            throw BenchFailure("\(name) ended with \(end)\n\(words)")
        }
        return Measurement(
            seconds: seconds, processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds,
            peakMemory: usage.ru_maxrss * 1024)
    }

    /// Ends the program and waits until it has gone.
    func end() {
        kill(identifier, SIGKILL)
        while waitpid(identifier, nil, 0) == -1 && errno == EINTR {}
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
