/// A post of the source `posts`.
///
/// Encoded as JSON, its keys are the names of the columns, as in an export.
public struct Post: CrawledRecord, Codable, Hashable {
    /// The source's name.
    public static let source = "posts"

    /// The number that identifies the post.
    public var id: Int
    /// The number of its author.
    public var userID: Int?
    /// The title.
    public var title: String?
    /// The text, of several lines.
    public var body: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id
        case userID = "userId"
        case title, body
    }
}
