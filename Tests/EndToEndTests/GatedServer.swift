import TestSupport

/// A server with one person an answer, each another one, that answers a few requests at once and keeps all further ones
/// waiting until it is released: a crawl of it is in its middle as long as a test wants.
enum GatedServer {
    /// Starts it; to be stopped like every scripted server.
    static func start(free: Int) throws -> ScriptedServer {
        try ScriptedServer { request in
            let person = ScriptedServer.Step.answer(text: #"{"uid": "\#(request.number)"}"#)
            return request.number > free ? [.waitForRelease, person] : [person]
        }
    }

    /// The arguments of a crawl that asks it for one person after the other.
    static func arguments(_ count: Int) -> [String] {
        ["--count", "\(count)", "--page-size", "1", "--concurrency", "1"]
    }
}
