/// Suggestions for a misspelt word.
package enum NearMiss {
    /// The candidate closest to `word`, or nil where none is close enough to be meant.
    ///
    /// Close enough means a Damerau-Levenshtein distance of at most a third of the longer word, and at least one.
    package static func suggestion(for word: String, among candidates: some Sequence<String>) -> String? {
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let limit = max(1, max(word.count, candidate.count) / 3)
            let distance = distance(word, candidate)
            if distance <= limit, distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.candidate
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours between two words.
    package static func distance(_ first: String, _ second: String) -> Int {
        let a = Array(first.lowercased())
        let b = Array(second.lowercased())
        var beforeLast = [Int](repeating: 0, count: b.count + 1)
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                row.append(cost)
            }
            beforeLast = last
            last = row
        }
        return last[b.count]
    }
}
