#if LEAK_CHECK
    /// LeakSanitizer's check, which belongs to `exit` and which the program's `_exit` would pass by.
    ///
    /// Part of builds for the address sanitizer only, see Package.swift.
    enum LeakCheck {
        /// Ends the program with the sanitizer's exit code where memory is allocated that nothing points to.
        static func run() {
            checkForLeaks()
        }
    }

    /// See [lsan_interface.h](https://github.com/llvm/llvm-project/blob/main/compiler-rt/include/sanitizer/lsan_interface.h).
    @_silgen_name("__lsan_do_leak_check")
    private func checkForLeaks()
#endif
