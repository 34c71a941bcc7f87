import CSimdJSON
import CrawlCore

/// A source compiled for the C++ side.
///
/// Unchecked because the plan is a C++ object; it never changes after `init`, and reading it is safe from any thread.
final class ReaderPlan: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ source: Source, capturing captured: [JSONPath]) {
        guard let plan = csj_plan_create(source.emptyTextIsNull) else {
            preconditionFailure("no memory for the plan of source '\(source.name)'")
        }
        pointer = plan
        var isComplete = true
        for column in source.columns {
            let flags =
                (column.isRequired ? Int32(CSJ_REQUIRED) : 0) | (column.acceptsNumbers ? Int32(CSJ_ACCEPTS_NUMBERS) : 0)
            isComplete =
                Self.withKeys(of: column.path) { bytes, lengths, count in
                    csj_plan_add_column(plan, bytes, lengths, count, column.type.code, flags)
                } && isComplete
        }
        isComplete =
            Self.withKeys(of: source.records) { csj_plan_set_records(plan, $0, $1, $2) } && isComplete
        for path in captured {
            isComplete = Self.withKeys(of: path) { csj_plan_add_capture(plan, $0, $1, $2) } && isComplete
        }
        precondition(isComplete, "no memory for the plan of source '\(source.name)'")
    }

    deinit {
        csj_plan_destroy(pointer)
    }

    private static func withKeys(
        of path: JSONPath, _ body: (UnsafePointer<UInt8>?, UnsafePointer<Int>?, Int) -> Bool
    ) -> Bool {
        let bytes = path.components.flatMap { Array($0.utf8) }
        let lengths = path.components.map(\.utf8.count)
        return bytes.withUnsafeBufferPointer { bytes in
            lengths.withUnsafeBufferPointer { lengths in
                body(bytes.baseAddress, lengths.baseAddress, lengths.count)
            }
        }
    }
}

extension ColumnType {
    fileprivate var code: Int32 {
        switch self {
        case .text: Int32(CSJ_TYPE_TEXT)
        case .integer: Int32(CSJ_TYPE_INTEGER)
        case .real: Int32(CSJ_TYPE_REAL)
        case .boolean: Int32(CSJ_TYPE_BOOLEAN)
        case .json: Int32(CSJ_TYPE_JSON)
        }
    }
}
