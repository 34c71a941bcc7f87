import CrawlCore
import CrawlHTTP
import StandInAPI

/// The addresses that a crawl asks for a source: those of its file, those that the user named, or the stand-in's.
///
/// An address that the user names is completed: query parameters of the source file's address that it lacks are added,
/// and to a fallback's the part of the path that names the value. Whoever names another server for a source is not
/// sent back to the file's for cookie, crumb and fallback: those are named as well, or derived where the server is
/// the stand-in, or done without.
struct SourceAddresses: Sendable, Equatable {
    /// What kind of server answers.
    var kind: Endpoint.Kind
    /// The source's own address, with placeholders and variables.
    var main: String
    /// Where the handshake is done, nil where there is none.
    var handshake: (cookie: String, crumb: String)? { cookie.flatMap { cookie in crumb.map { (cookie, $0) } } }
    /// Whether the source is asked without credentials first.
    var isHandshakeDeferred = false
    /// The fallback's address, with placeholders and variables; nil where there is none.
    var fallback: String?
    private var cookie: String?
    private var crumb: String?

    /// Chooses the addresses that the options ask for.
    ///
    /// - Throws: `CrawlError` (64) where only half of the handshake is named.
    init(of source: Source, _ options: CrawlOptions) throws(CrawlError) {
        let named = options.endpoints[source.name]
        kind = named == nil ? .live : .named
        main = named.map { Self.completed($0, like: source.url) } ?? source.url
        let standIn = named.flatMap { Self.standIn($0, of: source) }
        if let authentication = source.authentication {
            let given = authentication.addresses.map { options.endpoints["\(source.name).\($0.name)"] }
            if named != nil, let missing = zip(authentication.addresses, given).first(where: { $1 == nil }),
                given.contains(where: { $0 != nil })
            {
                throw CrawlError(
                    .usage,
                    "An endpoint is named for \(source.name) and for a part of its handshake, but none for "
                        + "\(source.name).\(missing.0.name)",
                    remedy: "Add --endpoint \(source.name).\(missing.0.name)=URL.")
            }
            let known = authentication.addresses.map { address in
                named == nil ? address.url : standIn.flatMap { $0("\(source.name).\(address.name)") }
            }
            (cookie, crumb) = (given[0] ?? known[0], given[1] ?? known[1])
            isHandshakeDeferred = standIn != nil && given.allSatisfy { $0 == nil }
        }
        if let template = source.fallback?.url {
            let name = "\(source.name).fallback"
            let given = options.endpoints[name] ?? standIn.flatMap { $0(name) }
            let own = named == nil ? template : nil
            fallback = given.map { Self.completed($0, like: template, withPath: true) } ?? own
        }
    }

    /// The stand-in's addresses.
    ///
    /// - Parameter standIn: The stand-in's address by an endpoint's name, nil where it does not play that.
    /// - Throws: `CrawlError` (69) where the stand-in does not play the source.
    init(of source: Source, standIn: (String) -> String?) throws(CrawlError) {
        guard let url = standIn(source.name) else {
            throw CrawlError(
                .unavailable, "The built-in stand-in does not play the source '\(source.name)'",
                remedy: "Leave out --offline, or name a server with --endpoint \(source.name)=URL.")
        }
        kind = .standIn
        main = Self.completed(url, like: source.url)
        if source.authentication != nil {
            (cookie, crumb) = (standIn("\(source.name).cookie"), standIn("\(source.name).crumb"))
        }
        if let template = source.fallback?.url {
            fallback = standIn("\(source.name).fallback").map {
                Self.completed($0, like: template, withPath: true)
            }
        }
    }

    /// The other addresses of the server where a named address is the stand-in's, on this machine and at its path.
    private static func standIn(_ named: String, of source: Source) -> ((String) -> String?)? {
        guard let url = HTTPURL(named), url.isLoopback, let path = StandInAPI.path(of: source.name),
            url.pathAndQuery.prefix(while: { $0 != "?" }) == path
        else { return nil }
        return { name in StandInAPI.path(of: name).map { "\(url.scheme)://\(url.authority)\($0)" } }
    }

    /// An address with what it lacks of a template's.
    static func completed(_ address: String, like template: String, withPath: Bool = false) -> String {
        var (beginning, items) = URLText.beginningAndItems(of: address)
        let (path, wanted) = URLText.beginningAndItems(of: template)
        if withPath, !beginning.contains("{"), let brace = path.firstIndex(of: "{"),
            let slash = path[..<brace].lastIndex(of: "/")
        {
            while beginning.hasSuffix("/") { beginning.removeLast() }
            beginning += path[slash...]
        }
        let names = Set(items.map(name))
        items += wanted.filter { !names.contains(name($0)) }
        return items.isEmpty ? beginning : beginning + "?" + items.joined(separator: "&")
    }

    private static func name(_ item: String) -> String {
        URLText.decoded(URLText.sides(of: item).name)
    }
}
