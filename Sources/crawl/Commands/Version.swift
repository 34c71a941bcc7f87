/// The program's version, as `--version` and the `User-Agent` field tell it.
enum Version {
    static let text = "0.1.0"
    static let userAgent = "crawl/" + text
}
