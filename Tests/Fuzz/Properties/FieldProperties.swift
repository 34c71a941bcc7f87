import CrawlCore
import Foundation

@testable import CrawlHTTP

/// Header fields, one a line, each read as every one of those that matter.
enum FieldProperties {
    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        let fields = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        for field in fields {
            try checkRetryAfter(field)
            try checkDate(field)
            if let limit = RateLimit(parsing: field) {
                try require(limit.spacing > .zero, "a rate of \(field) with \(limit.spacing) between")
            }
        }
        try checkLink(fields)
        try checkCacheControl(fields)
    }

    private static func checkRetryAfter(_ field: String) throws(BrokenProperty) {
        // Far in the past, today, and as late as a clock that is set wrong.
        for now in [-62_135_596_800, 0, 1_796_000_000, 253_402_300_799].map(Date.init(timeIntervalSince1970:)) {
            let wait = RetryAfter.wait(field, now: now)
            if let wait {
                try require(
                    (RetryAfter.floor...RetryAfter.ceiling).contains(wait), "Retry-After: \(field) waits \(wait)")
            }
            let digits = field.utf8.allSatisfy { (0x30...0x39).contains($0) }
            try require(!digits || field.isEmpty || wait != nil, "Retry-After: \(field) is not believed")
            try require(!field.hasPrefix("-") || wait == nil, "Retry-After: \(field) is believed")
        }
    }

    private static func checkDate(_ field: String) throws(BrokenProperty) {
        guard let date = HTTPDate.date(field, now: Date(timeIntervalSince1970: 1_796_000_000)) else { return }
        // The years 0 to 9999, with a day to spare for the leap second.
        try require((-62_167_219_200...253_402_387_200).contains(date.timeIntervalSince1970), "\(field) is \(date)")
    }

    private static func checkLink(_ fields: [String]) throws(BrokenProperty) {
        let links = fields.flatMap(LinkHeader.links)
        for link in links {
            try require(!link.target.contains(">"), "a target is \(link.target)")
            try require(link.relations.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty }, "\(link.relations)")
        }
        let next = LinkHeader.next(in: fields)
        try require(next == links.first { $0.relations.contains("next") }?.target, "the next link is \(next ?? "none")")
    }

    private static func checkCacheControl(_ fields: [String]) throws(BrokenProperty) {
        let control = CacheControl(fields)
        try require((control.maxAge ?? 0) >= 0, "max-age is \(control.maxAge ?? 0)")
        let all = fields.joined(separator: ",").lowercased()
        try require(all.contains("-") || control == CacheControl([]), "\(all) is read as \(control)")
    }
}
