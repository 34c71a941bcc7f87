import CrawlCore
import CrawlJSON
import Testing

@Suite struct SourceFileTests {
    /// A source file that is right, with one key changed or, where `value` is nil, left out.
    static func file(_ key: String = "", _ value: String? = nil) -> String {
        var members = [
            ("name", #""things""#), ("url", #""https://example.test/things?limit=9&q={q}""#),
            ("pagination", #"{"style":"page","parameter":"page","sizeParameter":"n","maxSize":50}"#),
            ("key", #""id""#), ("columns", #"{"id":"integer!","price":"real"}"#),
        ]
        if let index = members.firstIndex(where: { $0.0 == key }) {
            if let value { members[index].1 = value } else { members.remove(at: index) }
        } else if let value {
            members.append((key, value))
        }
        return "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ",\n") + "}"
    }

    static func decode(_ text: String) throws -> Source {
        try SourceFile.source(from: Array(text.utf8), file: "things.json")
    }

    /// Named mistakes, and the message that each gets behind `things.json: `.
    static let mistakes: [(name: String, key: String, value: String?, message: String)] = [
        (
            "unknown type", "columns", #"{"id":"integer","price":"float"}"#,
            "columns.price: unknown type 'float', use real"
        ),
        (
            "misspelt type", "columns", #"{"id":"integr!"}"#,
            "columns.id: unknown type 'integr', did you mean 'integer'?"
        ),
        (
            "no such type", "columns", #"{"id":"uuidv4"}"#,
            "columns.id: unknown type 'uuidv4', allowed are text, integer, real, boolean, json"
        ),
        ("a type that is no text", "columns", #"{"id":5}"#, "columns.id: expected an object, got a number"),
        ("unknown key", "colums", "{}", "unknown key 'colums', did you mean 'columns'?"),
        (
            "unknown key of a column", "columns", #"{"id":{"type":"text","pfad":"a"}}"#,
            "columns.id: unknown key 'pfad', allowed are path, type, required, accept"
        ),
        ("a column without a type", "columns", #"{"id":{"path":"a"}}"#, "columns.id: the key 'type' is missing"),
        ("a column twice", "columns", #"{"id":"integer","id":"text"}"#, "columns: the key 'id' is there twice"),
        (
            "columns that differ in case", "columns", #"{"id":"integer","ID":"text"}"#,
            "columns.ID: differs from the column 'id' in upper and lower case only"
        ),
        (
            "a reserved column", "columns", #"{"id":"integer","Extra":"text"}"#,
            "columns.Extra: every table has a column 'extra' of its own; choose another name and give the path"
        ),
        (
            "a column name with a blank", "columns", #"{"id":"integer","a b":"text"}"#,
            "columns.a b: 'a b' must have letters, digits and _ only, and not begin with a digit"
        ),
        (
            "a column name with a line break", "columns", #"{"id":"integer","a\n\u001b[1m\"":"text"}"#,
            #"columns.a \u{1b}[1m": 'a \u{1b}[1m"' must have letters, digits and _ only, and not begin with a digit"#
        ),
        ("no columns", "columns", "{}", "columns: there must be at least one"),
        ("columns as a list", "columns", "[]", "columns: expected an object, got a list"),
        ("columns missing", "columns", nil, "the key 'columns' is missing"),
        (
            "numbers accepted by an integer", "columns", #"{"id":{"type":"integer","accept":["number"]}}"#,
            "columns.id.accept: only a text column can take numbers as they are"
        ),
        (
            "accepts something else", "columns", #"{"id":{"type":"text","accept":["date"]}}"#,
            #"columns.id.accept: knows "string" and "number", not "date""#
        ),
        (
            "a path to the record itself", "columns", #"{"id":{"type":"json","path":"$"}}"#,
            "columns.id.path: must lead into the record"
        ),
        (
            "a path with an empty part", "columns", #"{"id":{"type":"json","path":"a..b"}}"#,
            "columns.id.path: the path 'a..b' has an empty part"
        ),
        ("a JSONPath", "records", #""$.data""#, "records: write 'data' instead of '$.data'"),
        (
            "an index in brackets", "records", #""data[0]""#,
            "records: write the number of a list's element like a key, as in 'results.0', not 'data[0]'"
        ),
        ("records as a number", "records", "5", "records: expected a path such as 'results', got a number"),
        ("key missing", "key", nil, "the key 'key' is missing; it names the column that identifies a record"),
        ("key of no column", "key", #""prize""#, "key: there is no column 'prize', did you mean 'price'?"),
        ("key with a column twice", "key", #"["id","id"]"#, "key: names the column 'id' twice"),
        ("key empty", "key", "[]", "key: expected the names of columns"),
        ("name missing", "name", nil, "the key 'name' is missing"),
        ("name empty", "name", #""""#, "name: is empty"),
        (
            "name begins with a digit", "name", #""1st""#,
            "name: '1st' must have letters, digits and _ only, and not begin with a digit"
        ),
        (
            "name with a quote", "name", #""a\"b""#,
            #"name: 'a"b' must have letters, digits and _ only, and not begin with a digit"#
        ),
        ("name of our own", "name", #""crawl_pages""#, "name: 'crawl_pages' must not begin with crawl_"),
        ("name of SQLite", "name", #""SQLite_x""#, "name: 'SQLite_x' must not begin with sqlite_"),
        (
            "url of another kind", "url", #""ftp://example.test""#,
            "url: 'ftp://example.test' does not begin with https:// or http://"
        ),
        (
            "url with a port beyond all ports", "url", #""https://example.test:99999/x""#,
            "url: 'https://example.test:99999/x' names no port from 1 to 65535"
        ),
        ("url without a host", "url", #""https:///x""#, "url: 'https:///x' names no host"),
        (
            "url with a password", "url", #""https://a:b@example.test""#,
            "url: a user name or password must not stand in the address; use headers"
        ),
        (
            "url with a blank", "url", #""https://example.test/a b""#,
            "url: white space and control characters must be percent-encoded"
        ),
        (
            "url with an open brace", "url", #""https://example.test/{a""#,
            "url: a placeholder is written {name}, with letters, digits and _"
        ),
        ("pagination missing", "pagination", nil, "the key 'pagination' is missing"),
        ("pagination as a text", "pagination", #""page""#, "pagination: expected an object, got a text"),
        (
            "no style", "pagination", "{}",
            "pagination: the key 'style' is missing; styles are repeat, single, page, offset, cursor, link"
        ),
        (
            "misspelt style", "pagination", #"{"style":"ofset"}"#,
            "pagination.style: unknown style 'ofset', did you mean 'offset'?"
        ),
        (
            "size of 0", "pagination", #"{"style":"repeat","sizeParameter":"n","maxSize":0}"#,
            "pagination.maxSize: expected a whole number from 1 to 2147483647, got 0"
        ),
        (
            "size missing", "pagination", #"{"style":"repeat","sizeParameter":"n"}"#,
            "pagination: the key 'maxSize' is missing"
        ),
        (
            "page without its parameter", "pagination", #"{"style":"page","maxSize":5}"#,
            "pagination: the key 'parameter' is missing"
        ),
        (
            "key of another style", "pagination", #"{"style":"single","next":"a"}"#,
            "pagination: unknown key 'next', allowed are style"
        ),
        (
            "cursor without next", "pagination", #"{"style":"cursor","parameter":"a"}"#,
            "pagination: the key 'next' is missing; it is the path to the next cursor"
        ),
        (
            "a cursor from no column", "pagination", #"{"style":"cursor","parameter":"a","next":{"last":"ids"}}"#,
            "pagination.next.last: there is no column 'ids', did you mean 'id'?"
        ),
        (
            "a header that cannot be", "pagination", #"{"style":"link","next":{"header":"X Next"}}"#,
            "pagination.next.header: no header can have this name"
        ),
        (
            "a misspelt header", "pagination", #"{"style":"link","next":{"heder":"X-Next"}}"#,
            "pagination.next: unknown key 'heder', did you mean 'header'?"
        ),
        (
            "the whole answer as a total", "pagination", #"{"style":"page","parameter":"p","maxSize":5,"total":"$"}"#,
            "pagination.total: must lead to a single value"
        ),
        ("notes that are no texts", "notes", "[1]", "notes: expected texts"),
        ("unknown rule", "onDuplicate", #""keeep""#, "onDuplicate: unknown value 'keeep', did you mean 'keep'?"),
        ("a text for a boolean", "emptyTextIsNull", #""yes""#, "emptyTextIsNull: expected true or false, got a text"),
        ("a header with a blank", "headers", #"{"X Y":"a"}"#, "headers.X Y: no header can have this name"),
        (
            "a header with a line break", "headers", #"{"X":"a\r\nY: b"}"#,
            "headers.X: a header's value must not hold control characters"
        ),
        ("a set that is a list", "set", "[]", "set: expected an object, got a list"),
        ("a list in set", "set", #"{"q":["a"]}"#, "set.q: expected a text, got a list"),
    ]

    @Test(arguments: mistakes) func namesTheMistake(name: String, key: String, value: String?, message: String) {
        do throws(CrawlError) {
            let text = Array(Self.file(key, value).utf8)
            Issue.record("decoded as \(try SourceFile.source(from: text, file: "things.json"))")
        } catch {
            #expect(error.exitCode == .badSource)
            #expect(error.message.contains(message), "\(error.message)")
            #expect(error.remedy?.isEmpty == false)
        }
    }

    @Test func tellsAllMistakesAtOnce() throws {
        let error = #expect(throws: CrawlError.self) {
            try Self.decode(
                #"{"name":"a b","url":"x","pagination":{"style":"single"},"key":"id","columns":{"id":"int"}}"#)
        }
        #expect(
            error?.message == """
                things.json has 4 mistakes:
                  name: 'a b' must have letters, digits and _ only, and not begin with a digit
                  url: 'x' does not begin with https:// or http://
                  columns.id: unknown type 'int', use integer
                  key: there is no column 'id'
                """)
    }

    @Test(arguments: [
        ("{\"name\": \"x\",\n  \"url\" \"y\"}", "things.json: line 2, column 9: expected ':' behind the key"),
        ("", "things.json: line 1, column 1: nothing but white space"),
        ("name: users\n", "things.json: line 1, column 2: expected 'null'"),
        ("[]", "things.json: expected an object, got a list"),
    ]) func saysWhereTheFileIsNoJSON(text: String, message: String) {
        let error = #expect(throws: CrawlError.self) { try Self.decode(text) }
        #expect(error?.message == message)
        #expect(error?.exitCode == .badSource)
    }

    @Test(arguments: [#""one""#, #"["one", "and \"two\"\nlines"]"#]) func keepsNotes(json: String) throws {
        let source = try Self.decode(Self.file("notes", json))
        #expect(source.notes.first == "one")
        #expect(try Self.decode(SourceFile.text(of: source)) == source)
    }

    @Test func decodesEveryKey() throws {
        let source = try Self.decode(
            #"""
            { "name": "things", "url": "http://localhost:8090/{kind}/things?q={q}",
              "pagination": { "style": "cursor", "parameter": "after", "next": "meta.next", "sizeParameter": "n", "maxSize": 7 },
              "records": ["a.b", "items"], "key": ["country", "code"], "onDuplicate": "update", "emptyTextIsNull": true,
              "set": { "q": "x y", "kind": 5 }, "headers": { "Authorization": "Bearer ${TOKEN}" },
              "columns": { "code": "text", "country": { "path": "where.country", "type": "text", "required": true },
                "zip": { "type": "text!", "accept": ["string", "number"] }, "first": { "path": "list.0", "type": "json" } } }
            """#)
        #expect(
            source
                == Source(
                    name: "things", url: "http://localhost:8090/{kind}/things?q={q}",
                    pagination: .cursor(
                        parameter: "after", next: .answer(.body(JSONPath(["meta", "next"]))), sizeParameter: "n",
                        maxSize: 7),
                    records: JSONPath(["a.b", "items"]), key: ["country", "code"], onDuplicate: .update,
                    columns: [
                        Column("code", .text, isRequired: true),
                        Column("country", path: JSONPath(["where", "country"]), .text, isRequired: true),
                        Column("zip", .text, isRequired: true, acceptsNumbers: true),
                        Column("first", path: JSONPath(["list", "0"]), .json),
                    ], emptyTextIsNull: true, set: ["q": "x y", "kind": "5"],
                    headers: ["Authorization": "Bearer ${TOKEN}"]
                ))
        #expect(try Self.decode(SourceFile.text(of: source)) == source)
    }

    @Test(arguments: [
        (
            "repeat", Pagination.repeat(sizeParameter: "size", maxSize: 100),
            #"{"style":"repeat","sizeParameter":"size","maxSize":100}"#
        ),
        ("repeat without size", .repeat(sizeParameter: nil, maxSize: 1), #"{"style":"repeat"}"#),
        ("single", .single, #"{"style":"single"}"#),
        (
            "page", .page(parameter: "p", first: 1, sizeParameter: nil, maxSize: 30),
            #"{"style":"page","parameter":"p","maxSize":30}"#
        ),
        (
            "page from 0", .page(parameter: "p", first: 0, sizeParameter: "n", maxSize: 30),
            #"{"style":"page","parameter":"p","first":0,"sizeParameter":"n","maxSize":30}"#
        ),
        (
            "offset", .offset(parameter: "o", sizeParameter: "n", maxSize: 9),
            #"{"style":"offset","parameter":"o","sizeParameter":"n","maxSize":9}"#
        ),
        (
            "cursor", .cursor(parameter: "c", next: .answer(.body(JSONPath(["next"])))),
            #"{"style":"cursor","parameter":"c","next":"next"}"#
        ),
        (
            "cursor behind a key with a dot",
            .cursor(parameter: "c", next: .answer(.body(JSONPath(["@odata.next", "$"])))),
            #"{"style":"cursor","parameter":"c","next":["@odata.next","$"]}"#
        ),
        ("link", .link(), #"{"style":"link"}"#),
        (
            "page with its ends",
            .page(
                parameter: "p", sizeParameter: nil, maxSize: 30,
                end: PageEnd(
                    total: .header("X-Total"), pages: .body(JSONPath(["info", "pages"])),
                    more: .body(JSONPath(["has.more"])))),
            #"{"style":"page","parameter":"p","maxSize":30,"total":{"header":"X-Total"},"pages":"info.pages","more":["has.more"]}"#
        ),
        (
            "offset from 1 with a total",
            .offset(
                parameter: "o", first: 1, sizeParameter: nil, maxSize: 9, end: PageEnd(total: .body(JSONPath(["n"])))),
            #"{"style":"offset","parameter":"o","first":1,"maxSize":9,"total":"n"}"#
        ),
        (
            "cursor in a header", .cursor(parameter: "c", next: .answer(.header("X-Next"))),
            #"{"style":"cursor","parameter":"c","next":{"header":"X-Next"}}"#
        ),
        (
            "cursor from the last record",
            .cursor(parameter: "c", next: .lastRecord(column: "id"), more: .body(JSONPath(["has_more"]))),
            #"{"style":"cursor","parameter":"c","next":{"last":"id"},"more":"has_more"}"#
        ),
        (
            "next address in the body",
            .link(next: .body(JSONPath(["@odata.nextLink"])), more: .header("X-More")),
            #"{"style":"link","next":["@odata.nextLink"],"more":{"header":"X-More"}}"#
        ),
        (
            "link with size", .link(sizeParameter: "per_page", maxSize: 100),
            #"{"style":"link","sizeParameter":"per_page","maxSize":100}"#
        ),
    ]) func knowsThePaginationStyles(name: String, pagination: Pagination, json: String) throws {
        let source = try Self.decode(Self.file("pagination", json))
        #expect(source.pagination == pagination)
        #expect(try Self.decode(SourceFile.text(of: source)) == source)
    }
}
