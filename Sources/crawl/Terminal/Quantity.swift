/// Numbers as people read them, the same on every machine: a point for decimals, no grouping.
enum Quantity {
    /// Bytes, in steps of 1000 as disks and networks are sold: `812 B`, `44.1 KB`, `1.2 GB`.
    static func bytes(_ count: Int) -> String {
        var amount = Double(count)
        var unit = "B"
        for next in ["KB", "MB", "GB", "TB"] where amount >= 999.95 {
            amount /= 1000
            unit = next
        }
        return unit == "B" ? "\(count) B" : "\(decimals(amount, 1)) \(unit)"
    }

    /// A time: `0.2 s`, `12 s`, `2 min 5 s`, `3 h 10 min`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e12 else { return "ever" }
        guard seconds >= 9.95 else { return "\(decimals(max(0, seconds), 1)) s" }
        return wholeSeconds(seconds)
    }

    /// A time without decimals, for what is only estimated: `0 s`, `12 s`, `2 min 5 s`.
    static func wholeSeconds(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e12 else { return "ever" }
        let whole = Int(max(0, seconds).rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min" + (whole % 60 == 0 ? "" : " \(whole % 60) s")
        case ..<86_400: return "\(whole / 3600) h" + (whole / 60 % 60 == 0 ? "" : " \(whole / 60 % 60) min")
        default: return "\(whole / 86_400) d" + (whole / 3600 % 24 == 0 ? "" : " \(whole / 3600 % 24) h")
        }
    }

    /// A pace: `0.3/s`, `12/s`.
    static func rate(_ perSecond: Double) -> String {
        guard perSecond.isFinite, perSecond < 1e15 else { return "?/s" }
        return perSecond < 9.95 ? "\(decimals(max(0, perSecond), 1))/s" : "\(Int(perSecond.rounded()))/s"
    }

    /// A number with its noun: `1 retry`, `3 retries`.
    static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// A number with the records' noun, which is the source's name: `50 users`, `1 user`.
    static func records(_ number: Int, of source: String) -> String {
        let isPlural = source.count > 2 && source.hasSuffix("s") && !source.hasSuffix("ss")
        return "\(number) \(number == 1 && isPlural ? String(source.dropLast()) : source)"
    }

    /// A number with so many decimals, rounded.
    static func decimals(_ number: Double, _ places: Int) -> String {
        var factor = 1.0
        for _ in 0..<places { factor *= 10 }
        let scaled = (number * factor).rounded()
        guard scaled.magnitude < 1e15 else { return "\(number)" }
        let whole = Int(scaled.magnitude)
        let digits = String(whole % Int(factor))
        let fraction = String(repeating: "0", count: places - digits.count) + digits
        return (scaled < 0 ? "-" : "") + "\(whole / Int(factor))" + (places > 0 ? ".\(fraction)" : "")
    }
}
