/// Pages of 100 distinct people each, made once and sent without a copy.
///
/// The memory is written in `init` and freed in `deinit`, and only read in between; that is why the class may be shared
/// between threads unchecked.
final class PrecomputedPages: @unchecked Sendable {
    private let pages: [UnsafeRawBufferPointer]
    private let records: [Range<Int>]

    var count: Int { pages.count }

    init(count: Int, of population: Population) {
        var pages: [UnsafeRawBufferPointer] = []
        var records: [Range<Int>] = []
        var bytes: [UInt8] = []
        for page in 0..<count {
            bytes.removeAll(keepingCapacity: true)
            for position in 0..<100 {
                bytes.append(position == 0 ? 0x5B : 0x2C)
                let start = bytes.count
                population.append(personAt: page * 100 + position, to: &bytes)
                if position == 50 { records.append(start..<bytes.count) }
            }
            bytes.append(0x5D)
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            memory.copyBytes(from: bytes)
            pages.append(UnsafeRawBufferPointer(memory))
        }
        self.pages = pages
        self.records = records
    }

    deinit {
        for page in pages { page.deallocate() }
    }

    /// The bytes of a page; valid as long as this object lives.
    subscript(index: Int) -> UnsafeRawBufferPointer { pages[index] }

    /// The record in the middle of a page.
    func target(of page: Int) -> SpoilTarget {
        SpoilTarget(range: records[page], key: "uid", text: "first_name", number: "id")
    }
}
