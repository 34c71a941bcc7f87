/// The users API: random people, one bare object or a list.
struct UsersAPI: Sendable {
    let population: Population
    private(set) var handedOut = 0
    private(set) var distinctHandedOut = 0
    private var seen: [UInt64]
    private var draws: SplitMix64
    private let oddSize: StandInConfiguration.OddSize
    private let pages: PrecomputedPages?
    private var nextPage = 0

    init(_ configuration: StandInConfiguration, seed: UInt64) {
        population = Population(seed: seed, size: configuration.people)
        draws = SplitMix64(seed: seed)
        oddSize = configuration.oddSize
        seen = [UInt64](repeating: 0, count: ((population.size ?? 0) + 63) / 64)
        pages =
            configuration.precomputedPages > 0 ? Self.pages(configuration.precomputedPages, of: population) : nil
    }

    /// Pages on which nobody comes twice.
    private static func pages(_ count: Int, of population: Population) -> PrecomputedPages {
        PrecomputedPages(count: count, fields: (key: "uid", text: "first_name", number: "id")) { page, bytes in
            var middle = 0..<0
            for position in 0..<100 {
                bytes.append(position == 0 ? 0x5B : 0x2C)
                let start = bytes.count
                population.append(personAt: page * 100 + position, to: &bytes)
                if position == 50 { middle = start..<bytes.count }
            }
            bytes.append(0x5D)
            return middle
        }
    }

    mutating func answer(_ request: Request) -> Answer {
        let asked = request.value("size")
        let legacy = request.path == "/api/users/random_user"
        guard let asked else { return people(1, asList: legacy) }
        switch (Int(asked), oddSize) {
        case (.some(1), _): return people(1, asList: legacy)
        case (100, _) where pages != nil && !legacy: return precomputedPage()
        case (.some(let size), _) where (2...100).contains(size): return people(size, asList: true)
        case (.some(let size), .clamp) where size > 100: return people(100, asList: true)
        case (_, .clamp): return people(1, asList: legacy)
        case (_, .badRequest): return .error(400, "size must be a number from 1 to 100")
        case (_, .emptyList): return Answer(text: "[]")
        }
    }

    private mutating func people(_ count: Int, asList: Bool) -> Answer {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count * 1_024 + 2)
        var target = SpoilTarget(range: 0..<0, key: "uid", text: "first_name", number: "id")
        if asList { bytes.append(0x5B) }
        for position in 0..<count {
            if position > 0 { bytes.append(0x2C) }
            let start = bytes.count
            let index = population.draw(&draws)
            population.append(personAt: index, to: &bytes)
            if position == count / 2 { target.range = start..<bytes.count }
            note(index)
        }
        if asList { bytes.append(0x5D) }
        return Answer(bytes, target: target)
    }

    private mutating func note(_ index: Int) {
        handedOut += 1
        guard population.size != nil else {
            distinctHandedOut += 1
            return
        }
        let bit: UInt64 = 1 << UInt64(index % 64)
        if seen[index / 64] & bit == 0 { distinctHandedOut += 1 }
        seen[index / 64] |= bit
    }

    private mutating func precomputedPage() -> Answer {
        guard let pages else { return people(100, asList: true) }
        handedOut += 100
        distinctHandedOut = min(distinctHandedOut + 100, pages.count * 100)
        defer { nextPage = (nextPage + 1) % pages.count }
        return Answer(shared: pages, page: nextPage)
    }
}
