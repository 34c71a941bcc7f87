/// The randomuser API: the same seed and page give the same people.
struct RandomUserAPI: Sendable {
    /// Draws a seed for each request that names none.
    private var draws: SplitMix64

    init(seed: UInt64) {
        draws = SplitMix64(seed: SplitMix64.mixed(seed ^ 0x7261_6E64))
    }

    mutating func answer(_ request: Request) -> Answer {
        let asked = request.number("results") ?? 1
        let count = (1...5_000).contains(asked) ? asked : 1
        let page = max(1, request.number("page") ?? 1)
        let seed = request.value("seed").flatMap { $0.isEmpty ? nil : $0 } ?? String(draws.next(), radix: 16)
        var json = JSONText()
        var target = SpoilTarget(range: 0..<0, key: "uuid", text: "first", number: "number")
        let origin = Self.hash(seed)
        json.object { answer in
            answer.field("results") { results in
                results.list { list in
                    for position in 0..<count {
                        let start = list.bytes.count + (position > 0 ? 1 : 0)
                        // Pages of one seed never overlap, whatever their size.
                        let index = UInt64(page) << 32 | UInt64(position)
                        RandomUserWriter.write(SplitMix64.mixed(origin ^ SplitMix64.mixed(index)), to: &list)
                        if position == count / 2 { target.range = start..<list.bytes.count }
                    }
                }
            }
            answer.field("info") { info in
                info.object {
                    $0.field("seed", seed)
                    $0.field("results", count)
                    $0.field("page", page)
                    $0.field("version", "1.4")
                }
            }
        }
        return Answer(json.bytes, target: target)
    }

    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0x7261_6E64) { SplitMix64.mixed($0 ^ UInt64($1)) }
    }
}
