/// The pace of the last few seconds.
///
/// Measured over a window, so that a single quick or slow page does not make the number jump, and a pause lets it fall.
struct RateMeter: Sendable, Equatable {
    /// The seconds over which the pace is measured.
    static let window = 8.0
    /// The shortest time between two kept samples.
    private static let grain = 0.1

    private struct Sample: Equatable {
        var time: Double
        var count: Int
    }

    private var samples: [Sample]

    /// Begins to measure.
    init(count: Int, at time: Double) {
        samples = [Sample(time: time, count: count)]
    }

    /// Notes how many there are now.
    mutating func note(count: Int, at time: Double) {
        let last = samples.count - 1
        if last > 0, time - samples[last].time < Self.grain {
            samples[last].count = count
        } else {
            samples.append(Sample(time: time, count: count))
        }
        // The sample before the window is kept: the window begins between it and the next.
        while samples.count > 2, time - samples[1].time > Self.window {
            samples.removeFirst()
        }
    }

    /// Records a second, nil as long as there is nothing to measure.
    func rate(at time: Double) -> Double? {
        guard let newest = samples.last, let oldest = samples.first, newest.count > oldest.count || samples.count > 1
        else { return nil }
        let elapsed = max(time, newest.time) - oldest.time
        guard elapsed > 0.05 else { return nil }
        return Double(newest.count - oldest.count) / elapsed
    }
}
