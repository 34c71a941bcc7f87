import CrawlCore
import Testing

@Suite("Templates")
struct TemplateTests {
    static let readable: [(text: String, hasPlaceholders: Bool, parts: [Template.Part])] = [
        ("", true, []),
        ("plain $5 text", true, [.text("plain $5 text")]),
        ("a{b}c", true, [.text("a"), .placeholder("b"), .text("c")]),
        ("{a}{b_2}", true, [.placeholder("a"), .placeholder("b_2")]),
        ("Bearer ${MY_TOKEN}", false, [.text("Bearer "), .variable("MY_TOKEN")]),
        ("${A}{b}", true, [.variable("A"), .placeholder("b")]),
        ("{\"json\": {}}", false, [.text("{\"json\": {}}")]),
        ("$${A}", false, [.text("$"), .variable("A")]),
        ("${A}${A}", false, [.variable("A"), .variable("A")]),
    ]

    @Test("are taken apart", arguments: readable)
    func parts(text: String, hasPlaceholders: Bool, parts: [Template.Part]) throws {
        let template = try Template(parsing: text, hasPlaceholders: hasPlaceholders)
        #expect(template.parts == parts)
        let again = template.filled { part in
            switch part {
            case .text(let text): text
            case .placeholder(let name): "{\(name)}"
            case .variable(let name): "${\(name)}"
            }
        }
        #expect(again == text)
    }

    @Test("name each placeholder and variable once")
    func names() throws {
        let template = try Template(parsing: "{b}${X}{a}{b}${X}", hasPlaceholders: true)
        #expect(template.placeholders == ["b", "a"])
        #expect(template.variables == ["X"])
    }

    @Test(
        "with a brace alone are refused",
        arguments: ["{", "}", "a{b", "a}b", "{}", "{1a}", "{a b}", "{ä}", "${", "${}", "${A", "${1}", "${A-B}"])
    func refused(text: String) {
        #expect(throws: Template.Problem.self) { try Template(parsing: text, hasPlaceholders: true) }
    }

    @Test("take braces of their own for text where there are no placeholders", arguments: ["{", "}", "{a b}"])
    func braces(text: String) throws {
        #expect(try Template(parsing: text, hasPlaceholders: false).parts == [.text(text)])
    }

    static let lists: [(text: String, values: [String])] = [
        ("AAPL", ["AAPL"]), ("AAPL,SAP.DE", ["AAPL", "SAP.DE"]), (" AAPL , SAP.DE ,", ["AAPL", "SAP.DE"]),
        ("A,A,B,A", ["A", "B"]), ("", []), (" , ,", []), ("a b", ["a b"]),
    ]

    @Test("lists are taken apart at commas", arguments: lists)
    func list(text: String, values: [String]) {
        #expect(ValueList.values(in: text) == values)
    }
}
