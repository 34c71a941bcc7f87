/// The posts API with its traps: 100 posts, `_page` and `_limit`, `Link` and `X-Total-Count`, entity tags.
///
/// Behaves like json-server 0.x, <https://github.com/typicode/json-server/tree/v0>, which the public service runs.
struct PostsAPI: Sendable {
    private let posts: [Post]
    /// Many more posts, on pages made beforehand, and the entity tags of the pages.
    private let pages: (all: PrecomputedPages, tags: [String])?

    private struct Post: Sendable {
        let userId: Int
        let id: Int
        let title: String
        let body: String
    }

    /// Makes the posts; where `pages` is above 0, so many pages of posts as well.
    init(seed: UInt64, pages: Int = 0) {
        var random = SplitMix64(seed: SplitMix64.mixed(seed ^ 0x706F_7374))
        let words = Vocabulary.shared.latin.map { String(decoding: $0, as: UTF8.self) }
        let sentence = { (count: Int, random: inout SplitMix64) in
            (0..<count).map { _ in words[random.below(words.count)] }.joined(separator: " ")
        }
        let post = { (id: Int, random: inout SplitMix64) in
            let title = sentence(3 + random.below(5), &random)
            let body = (0..<4).map { _ in sentence(5 + random.below(4), &random) }.joined(separator: "\n")
            return Post(userId: (id - 1) / 10 + 1, id: id, title: title, body: body)
        }
        posts = (1...100).map { post($0, &random) }
        guard pages > 0 else {
            self.pages = nil
            return
        }
        var tags: [String] = []
        let all = PrecomputedPages(count: pages, fields: (key: "id", text: "title", number: "userId")) { page, bytes in
            let middle = Self.append((1...100).map { post(page * 100 + $0, &random) }, to: &bytes)
            tags.append(Self.tag(of: bytes))
            return middle
        }
        self.pages = (all, tags)
    }

    func answer(_ request: Request) -> Answer {
        if request.path.hasPrefix("/posts/") { return single(request) }
        var chosen = posts
        if let user = request.value("userId") { chosen = chosen.filter { String($0.userId) == user } }
        if let id = request.value("id") { chosen = chosen.filter { String($0.id) == id } }
        if let page = precomputedPage(request) { return page }
        var headers: [(name: String, value: String)] = []
        if let page = request.value("_page") {
            chosen = slice(chosen, page: page, request, &headers)
        } else if request.value("_end") != nil || request.value("_limit") != nil {
            headers.append(("x-total-count", String(chosen.count)))
            let start = request.number("_start") ?? 0
            // A limit that is no number ends the slice before its start, as NaN does in the service's language.
            let end = request.value("_end").map { Int($0) ?? 0 } ?? request.number("_limit").map { start + $0 } ?? 0
            chosen = Self.slice(chosen, from: start, to: end)
        } else if request.value("_start") != nil {
            headers.append(("x-total-count", String(chosen.count)))
        }
        return tagged(list(chosen), headers, request)
    }

    /// The page made beforehand that is asked for, nil where there are none.
    private func precomputedPage(_ request: Request) -> Answer? {
        guard let pages, request.value("_limit") == "100", let page = request.number("_page") else { return nil }
        var answer = Answer(text: "[]")
        if (1...pages.all.count).contains(page) {
            answer = Answer(shared: pages.all, page: page - 1)
            answer.headers += [("etag", pages.tags[page - 1]), ("cache-control", "max-age=43200")]
        }
        answer.headers.append(("x-total-count", String(pages.all.count * 100)))
        return answer
    }

    private func single(_ request: Request) -> Answer {
        let id = Int(request.path.dropFirst("/posts/".count))
        guard let post = posts.first(where: { $0.id == id }) else { return Answer(status: 404, text: "{}") }
        var bytes: [UInt8] = []
        Self.append(post, indent: "", to: &bytes)
        return tagged(
            Answer(bytes, target: SpoilTarget(range: 0..<bytes.count, key: "id", text: "title", number: "userId")), [],
            request)
    }

    private func slice(
        _ posts: [Post], page: String, _ request: Request, _ headers: inout [(name: String, value: String)]
    ) -> [Post] {
        let size = request.number("_limit").flatMap { $0 > 0 ? $0 : nil } ?? 10
        let current = max(1, Int(page) ?? 1)
        let last = (posts.count + size - 1) / size
        headers.append(("x-total-count", String(posts.count)))
        guard current <= last else {
            // Past the end the header is there and empty; a blank is how the HTTP library can send that.
            headers.append(("link", " "))
            return []
        }
        // The service replaces text in the address: `_page=0` stays as it is, so that its next page is itself.
        let address = request.origin + request.target
        let link = { (relation: String, number: Int) in
            "<\(address.replacingFirst("page=\(current)", with: "page=\(number)"))>; rel=\"\(relation)\""
        }
        var links = [link("first", 1)]
        if current > 1 { links.append(link("prev", current - 1)) }
        if current < last { links.append(link("next", current + 1)) }
        links.append(link("last", last))
        headers.append(("link", links.joined(separator: ", ")))
        return Self.slice(posts, from: (current - 1) * size, to: current * size)
    }

    /// A slice as the service's language makes it: negative numbers count from the end.
    private static func slice(_ posts: [Post], from start: Int, to end: Int) -> [Post] {
        let place = { (number: Int) in number < 0 ? max(0, posts.count + number) : min(number, posts.count) }
        let (first, last) = (place(start), place(end))
        return first < last ? Array(posts[first..<last]) : []
    }

    private func list(_ posts: [Post]) -> Answer {
        guard !posts.isEmpty else { return Answer(text: "[]") }
        var bytes: [UInt8] = []
        let middle = Self.append(posts, to: &bytes)
        return Answer(bytes, target: SpoilTarget(range: middle, key: "id", text: "title", number: "userId"))
    }

    /// Appends the list and tells where the post in its middle lies.
    private static func append(_ posts: [Post], to bytes: inout [UInt8]) -> Range<Int> {
        var middle = 0..<0
        bytes.append("[\n")
        for (position, post) in posts.enumerated() {
            if position > 0 { bytes.append(",\n") }
            bytes.append("  ")
            let start = bytes.count
            append(post, indent: "  ", to: &bytes)
            if position == posts.count / 2 { middle = start..<bytes.count }
        }
        bytes.append("\n]")
        return middle
    }

    private static func append(_ post: Post, indent: String, to bytes: inout [UInt8]) {
        bytes.append(text: "{\n\(indent)  \"userId\": \(post.userId),\n\(indent)  \"id\": \(post.id),\n")
        bytes.append(text: "\(indent)  \"title\": ")
        bytes.append(quoted: post.title)
        bytes.append(text: ",\n\(indent)  \"body\": ")
        bytes.append(quoted: post.body)
        bytes.append(text: "\n\(indent)}")
    }

    private func tagged(_ answer: Answer, _ headers: [(name: String, value: String)], _ request: Request) -> Answer {
        let tag = Self.tag(of: answer.body.bytes)
        let common = headers + [("etag", tag), ("cache-control", "max-age=43200")]
        if let known = request.headers["if-none-match"], known == "*" || known.contains(tag) {
            var answer = Answer(status: 304, [])
            answer.headers = common
            return answer
        }
        var answer = answer
        answer.headers += common
        return answer
    }

    private static func tag(of bytes: [UInt8]) -> String {
        "W/\"\(String(bytes.count, radix: 16))-\(String(Gzip.checksum(bytes), radix: 36))\""
    }
}

extension String {
    /// The text with the first occurrence of `part` exchanged, or as it is.
    func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}
