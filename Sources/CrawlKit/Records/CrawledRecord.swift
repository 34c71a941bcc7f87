/// A type for the records of a source, read back from its table by the names of the columns.
///
/// A program's own source gets a type of its own; where a property has another name than its column, `CodingKeys` name
/// the column:
///
/// ```swift
/// struct Issue: CrawledRecord {
///     static let source = "issues"
///     var id: Int
///     var title: String
///     var closedAt: Date?
///
///     enum CodingKeys: String, CodingKey {
///         case id, title
///         case closedAt = "closed_at"
///     }
/// }
/// ```
///
/// A `text` column is read as `String`, as `URL`, as `Date` (RFC 3339), or as an enumeration of strings; `integer` as
/// any integer type, as `Double`, or as `Date` (seconds since 1970); `real` as `Double`, `Float` or `Decimal`; `boolean`
/// as `Bool`; `json` as any `Decodable` type, or as `String`, the text that was sent. The columns `extra` and `page` can
/// be read as well. What may be NULL is optional: all columns but the required ones and the key.
public protocol CrawledRecord: Decodable, Identifiable, Sendable {
    /// The name of the source, which is the name of its table.
    static var source: String { get }
}
