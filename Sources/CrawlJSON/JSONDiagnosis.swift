/// Finds the first mistake in a text that is no JSON; slow, exact, and only used to explain.
struct JSONDiagnosis {
    /// A mistake and its place.
    struct Finding {
        var offset: Int
        var problem: String
        /// Whether the text merely ends too early.
        var isAtEnd: Bool
    }

    /// The first mistake by RFC 8259, nil where there is none.
    static func firstMistake(in text: UnsafeRawBufferPointer) -> Finding? {
        if let offset = invalidUTF8(in: text) {
            return Finding(offset: offset, problem: "byte \(offset) is not UTF-8", isAtEnd: false)
        }
        var diagnosis = JSONDiagnosis(text: text)
        do {
            try diagnosis.document()
            return nil
        } catch {
            return Finding(
                offset: diagnosis.at, problem: error.problem, isAtEnd: diagnosis.at >= text.count)
        }
    }

    /// The offset of the first byte that is not UTF-8, nil where all is well.
    static func invalidUTF8(in text: UnsafeRawBufferPointer) -> Int? {
        var decoder = Unicode.UTF8.ForwardParser()
        var bytes = text.makeIterator()
        var offset = 0
        while true {
            switch decoder.parseScalar(from: &bytes) {
            case .valid(let scalar): offset += scalar.count
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }

    /// Beyond this nesting nothing is explained any more.
    private static let deepest = 100_000

    private struct Mistake: Error {
        var problem: String
    }

    private let text: UnsafeRawBufferPointer
    private var at = 0

    private init(text: UnsafeRawBufferPointer) {
        self.text = text
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
    }

    /// Walks the document with a stack of its own, so that no nesting is too deep.
    private mutating func document() throws(Mistake) {
        var closers: [UInt8] = []
        try value(&closers)
        while let closer = closers.last {
            space()
            let isObject = closer == UInt8(ascii: "}")
            if next(closer) {
                closers.removeLast()
            } else if next(UInt8(ascii: ",")) {
                if isObject { try key() }
                try value(&closers)
            } else {
                throw Mistake(problem: "expected ',' or '\(Character(Unicode.Scalar(closer)))'")
            }
        }
        space()
        if at < text.count { throw Mistake(problem: "more text behind the end of the document") }
    }

    /// Reads a scalar, or opens an array or object and reads up to its first scalar.
    private mutating func value(_ closers: inout [UInt8]) throws(Mistake) {
        while true {
            space()
            guard closers.count < Self.deepest else { throw Mistake(problem: "nested much too deep") }
            switch peek {
            case UInt8(ascii: "["):
                at += 1
                closers.append(UInt8(ascii: "]"))
                space()
                if peek == UInt8(ascii: "]") { return }
            case UInt8(ascii: "{"):
                at += 1
                closers.append(UInt8(ascii: "}"))
                space()
                if peek == UInt8(ascii: "}") { return }
                try key()
            case UInt8(ascii: "\""): return try string()
            case UInt8(ascii: "t"): return try word("true")
            case UInt8(ascii: "f"): return try word("false")
            case UInt8(ascii: "n"): return try word("null")
            default:
                guard isDigit || peek == UInt8(ascii: "-") else { throw Mistake(problem: "expected a value") }
                return try number()
            }
        }
    }

    private mutating func key() throws(Mistake) {
        space()
        guard peek == UInt8(ascii: "\"") else { throw Mistake(problem: "expected a key in double quotes") }
        try string()
        space()
        guard next(UInt8(ascii: ":")) else { throw Mistake(problem: "expected ':' behind the key") }
    }

    private mutating func word(_ word: String) throws(Mistake) {
        for byte in word.utf8 where !next(byte) { throw Mistake(problem: "expected '\(word)'") }
    }

    private mutating func number() throws(Mistake) {
        _ = next(UInt8(ascii: "-"))
        if next(UInt8(ascii: "0")) {
            if isDigit { throw Mistake(problem: "a number must not begin with 0") }
        } else {
            try digits()
        }
        if next(UInt8(ascii: ".")) { try digits() }
        if next(UInt8(ascii: "e")) || next(UInt8(ascii: "E")) {
            _ = next(UInt8(ascii: "+")) || next(UInt8(ascii: "-"))
            try digits()
        }
    }

    private mutating func digits() throws(Mistake) {
        guard isDigit else { throw Mistake(problem: "expected a digit") }
        while isDigit { at += 1 }
    }

    private mutating func string() throws(Mistake) {
        at += 1
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                at += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw Mistake(problem: "a control character in a string must be escaped")
            default: at += 1
            }
        }
        throw Mistake(problem: "the string does not end")
    }

    private mutating func escape() throws(Mistake) {
        at += 1
        guard let byte = peek else { throw Mistake(problem: "the string does not end") }
        guard byte == UInt8(ascii: "u") else {
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw Mistake(problem: "no such escape") }
            at += 1
            return
        }
        let unit = try codeUnit()
        if (0xDC00...0xDFFF).contains(unit) { throw Mistake(problem: "half of a surrogate pair") }
        if (0xD800...0xDBFF).contains(unit) {
            guard next(UInt8(ascii: "\\")), peek == UInt8(ascii: "u"), (0xDC00...0xDFFF).contains(try codeUnit()) else {
                throw Mistake(problem: "half of a surrogate pair")
            }
        }
    }

    private mutating func codeUnit() throws(Mistake) -> Int {
        at += 1
        var unit = 0
        for _ in 0..<4 {
            guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw Mistake(problem: "expected four hexadecimal digits")
            }
            unit = unit * 16 + digit
            at += 1
        }
        return unit
    }

    private var peek: UInt8? { at < text.count ? text[at] : nil }

    private var isDigit: Bool { peek.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false }

    private mutating func next(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    private mutating func space() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
    }
}
