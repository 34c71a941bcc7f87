/// Pages of 100 records each, made once and sent without a copy.
///
/// The memory is written in `init` and freed in `deinit`, and only read in between; that is why the class may be shared
/// between threads unchecked.
final class PrecomputedPages: @unchecked Sendable {
    private let pages: [UnsafeRawBufferPointer]
    private let records: [Range<Int>]
    private let fields: (key: String, text: String, number: String)

    var count: Int { pages.count }

    /// Makes the pages.
    ///
    /// - Parameters:
    ///   - fields: The names of a record's fields that faults spoil.
    ///   - append: Appends the bytes of a page, numbered from 0, and tells where the record in its middle lies.
    init(
        count: Int, fields: (key: String, text: String, number: String),
        append: (_ page: Int, _ bytes: inout [UInt8]) -> Range<Int>
    ) {
        self.fields = fields
        var pages: [UnsafeRawBufferPointer] = []
        var records: [Range<Int>] = []
        var bytes: [UInt8] = []
        for page in 0..<count {
            bytes.removeAll(keepingCapacity: true)
            records.append(append(page, &bytes))
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
        SpoilTarget(range: records[page], key: fields.key, text: fields.text, number: fields.number)
    }
}
