/// What a whole process took, from its start to its end.
struct Measurement {
    /// Seconds on the clock.
    let seconds: Double
    /// Seconds of processor time, the program's own and the system's for it.
    let processorSeconds: Double
    /// The largest resident memory, in bytes.
    let peakMemory: Int

    /// Things done in a second.
    func rate(_ count: Int) -> Double { Double(count) / seconds }
}

/// The middle and the ends of a figure over several rounds.
struct Spread {
    let median: Double
    let least: Double
    let most: Double

    /// `values` holds at least one figure.
    init(_ values: [Double]) {
        let sorted = values.sorted()
        let middle = sorted.count / 2
        median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        least = sorted[0]
        most = sorted[sorted.count - 1]
    }
}

/// Two programs measured in turn, so that what else the machine does falls on both alike.
struct Comparison {
    private(set) var ours: [Measurement] = []
    private(set) var theirs: [Measurement] = []

    /// Measures both once unrecorded and then in turn, the order changing from round to round.
    init(rounds: Int, ours measureOurs: () throws -> Measurement, theirs measureTheirs: () throws -> Measurement) throws
    {
        _ = try measureTheirs()
        _ = try measureOurs()
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                theirs.append(try measureTheirs())
                ours.append(try measureOurs())
            } else {
                ours.append(try measureOurs())
                theirs.append(try measureTheirs())
            }
        }
    }

    /// The ratio of ours to theirs, round by round.
    func ratio(_ figure: (Measurement) -> Double) -> Spread {
        Spread(zip(ours, theirs).map { figure($0) / figure($1) })
    }
}
