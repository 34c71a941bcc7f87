import CCurl

/// How the process deals with memory that is free again.
package enum ProcessMemory {
    /// Makes large blocks go back to the system as soon as they are free; for programs, at their start.
    ///
    /// By default glibc keeps ever larger ones for each thread once it has seen some, and a crawl of large pages would
    /// take several times what it uses.
    package static func returnLargeBlocks() {
        crawl_return_large_blocks()
    }
}
