import Glibc

/// The result of a benchmark: a table, and the targets with what was reached.
struct Report {
    /// What was measured, one line.
    let title: String
    /// The column titles; the first column is text, the others are numbers.
    var columns: [String] = []
    /// The rows, as many cells as there are columns.
    var rows: [[String]] = []
    /// The targets.
    var targets: [Target] = []

    /// A promise and what was measured.
    struct Target {
        let text: String
        let isMet: Bool
    }

    init(_ title: String) {
        self.title = title
    }

    /// Prints everything; tells whether all targets are met.
    func print() -> Bool {
        var lines = [title]
        let table = columns.isEmpty ? rows : [columns] + rows
        let widths = (table.first ?? []).indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        for row in table {
            let cells = zip(row, widths).enumerated().map { index, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return index == 0 ? cell.0 + padding : padding + cell.0
            }
            lines.append("  " + cells.joined(separator: "   "))
        }
        for target in targets {
            lines.append("  \(target.isMet ? "met   " : "MISSED") \(target.text)")
        }
        TextFile.write(lines.joined(separator: "\n") + "\n\n", to: STDOUT_FILENO)
        return targets.allSatisfy(\.isMet)
    }
}

extension Double {
    /// The number with so many decimals, thousands separated by commas.
    func text(_ decimals: Int = 0) -> String {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = Int64((self * scale).rounded())
        let (whole, rest) = scaled.magnitude.quotientAndRemainder(dividingBy: UInt64(scale))
        var digits = String(whole)
        var end = digits.count - 3
        while end > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        let fraction = String(rest)
        return (scaled < 0 ? "-" : "") + digits
            + (decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - fraction.count) + fraction)
    }
}

extension Int {
    /// The number, thousands separated by commas.
    var text: String { Double(self).text() }
    /// The number of bytes in MB (10^6 bytes).
    var megabytes: String { (Double(self) / 1e6).text(1) }
}

extension Spread {
    /// The median, and in brackets the least and the most.
    func text(_ decimals: Int = 2) -> String {
        "\(median.text(decimals)) (\(least.text(decimals))–\(most.text(decimals)))"
    }
}
