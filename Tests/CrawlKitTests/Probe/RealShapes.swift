import CrawlCore
import CrawlHTTP

@testable import CrawlKit

/// APIs in the shapes of real ones, with invented data.
extension FakeAPI {
    private static func post(_ index: Int) -> String {
        #"{"userId":\#(index / 10 + 1),"id":\#(index + 1),"title":"title \#(index)","body":"one\ntwo \#(index)"}"#
    }

    /// jsonplaceholder.typicode.com: `page` is ignored, `_page` and `_limit` work, links say http.
    static func jsonPlaceholder(_ query: String = "") -> FakeAPI {
        FakeAPI("https://jsonplaceholder.typicode.com/posts\(query)") { query in
            guard query["_page"] != nil || query["_limit"] != nil else {
                return Answer(body: slice(100, from: 0, size: 100, post))
            }
            let size = query["_limit"].flatMap { Int($0) } ?? 10
            guard let page = query["_page"].flatMap({ Int($0) }) else {
                return Answer(body: slice(100, from: 0, size: size, post), headers: ["X-Total-Count": "100"])
            }
            var headers: HTTPHeaders = ["X-Total-Count": "100"]
            let address = "http://jsonplaceholder.typicode.com/posts?_limit=\(size)&_page="
            if page * size < 100 { headers.add(name: "Link", value: "<\(address)\(page + 1)>; rel=\"next\"") }
            return Answer(body: slice(100, from: (page - 1) * size, size: size, post), headers: headers)
        }
    }

    /// randomuser.me: others each time, also under a page number, unless there is a seed.
    static func randomUser(_ query: String = "") -> FakeAPI {
        let calls = Locked(0)
        return FakeAPI("https://randomuser.me/api/\(query)") { query in
            let count = query["results"].flatMap { Int($0) } ?? 1
            let call = calls.withLock { calls in
                calls += 1
                return calls
            }
            let start = query["seed"] == nil ? call * 10_000 : (Int(query["page"] ?? "1") ?? 1) * 5_000
            let people = (start..<start + count).map { number in
                """
                {"gender":"female","name":{"title":"Ms","first":"A\(number)","last":"B"},
                 "location":{"street":{"number":\(number % 900),"name":"Way"},"postcode":\(number % 3 == 0 ? "\"0\(number)\"" : "\(number)")},
                 "email":"a\(number)@example.test","login":{"uuid":"\(uuid(number))","username":"u\(number % 50)"},
                 "dob":{"date":"1980-01-01T00:00:00Z","age":46},"id":{"name":"","value":null},"nat":"NZ"}
                """
            }
            return Answer(
                body: """
                    {"results":[\(people.joined(separator: ","))],
                     "info":{"seed":"abc","results":\(count),"page":\(query["page"] ?? "1"),"version":"1.4"}}
                    """)
        }
    }

    /// random-data-api.com: one bare object, or a list; `id` repeats for different people, `uid` does not.
    static func randomData() -> FakeAPI {
        let calls = Locked(0)
        return FakeAPI("https://random-data-api.com/api/v2/people") { query in
            let size = query["size"].flatMap { Int($0) } ?? 1
            let start = calls.withLock { calls in
                calls += 1_000
                return calls
            }
            let people = (start..<start + min(max(size, 1), 100)).map { number in
                """
                {"id":\(scatter(number) % 9_999 + 1),"uid":"\(uuid(number))","first_name":"A",
                 "address":{"zip_code":"0\(scatter(number) % 9_000 + 1_000)","coordinates":{"lat":\(number % 90).5}}}
                """
            }
            return Answer(body: size > 1 ? "[\(people.joined(separator: ","))]" : people.joined())
        }
    }

    /// GitHub issues: a list, the next address in `Link`, open issues with much that is null.
    static func gitHub() -> FakeAPI {
        FakeAPI("https://api.github.com/repos/apple/swift/issues?state=open") { query in
            let size = min(query["per_page"].flatMap { Int($0) } ?? 30, 100)
            let page = query["page"].flatMap { Int($0) } ?? 1
            let body = slice(75, from: (page - 1) * size, size: size) { index in
                """
                {"url":"https://api.github.com/issues/\(900 - index)","id":\(2_000_000_000 + index * 7),"node_id":"I_k\(index)",
                 "number":\(900 - index),"title":"Issue \(index)","user":{"login":"octo\(index % 5)","id":\(index % 5)},
                 "labels":[{"id":1,"name":"bug"}],"state":"open","locked":false,"assignee":null,"milestone":null,
                 "comments":\(index % 4),"created_at":"2026-01-01T00:00:0\(index % 10)Z","closed_at":null,
                 "body":\(index % 7 == 0 ? "null" : "\"text\""),"reactions":{"+1":\(index % 3),"total_count":\(index % 3)}}
                """
            }
            let address = "https://api.github.com/repositories/44838949/issues?state=open&per_page=\(size)&page="
            let link = "<\(address)\(page + 1)>; rel=\"next\", <\(address)9>; rel=\"last\""
            return Answer(body: body, headers: page * size < 75 ? ["link": link] : [:])
        }
    }

    /// Stripe: `has_more` and `starting_after`.
    static func stripe() -> FakeAPI {
        FakeAPI("https://api.stripe.com/v1/charges") { query in
            let size = min(query["limit"].flatMap { Int($0) } ?? 10, 100)
            let start = query["starting_after"].flatMap { Int($0.dropFirst(3)) }.map { $0 - 100 + 1 } ?? 0
            let body = slice(64, from: start, size: size) { index in
                """
                {"id":"ch_\(100 + index)","object":"charge","amount":\(2_000 + index),"currency":"usd","paid":true,
                 "billing_details":{"address":{"postal_code":"0\(1_234 + index)"},"email":null},"metadata":{},
                 "created":\(1_700_000_000 - index)}
                """
            }
            return Answer(
                body: #"{"object":"list","url":"/v1/charges","has_more":\#(start + size < 64),"data":\#(body)}"#)
        }
    }

    /// Elasticsearch: nested hits, `from` and `size`.
    static func elasticsearch() -> FakeAPI {
        FakeAPI("https://search.example.test/books/_search?q=swift") { query in
            let size = query["size"].flatMap { Int($0) } ?? 10
            let body = slice(43, from: query["from"].flatMap { Int($0) } ?? 0, size: size) { index in
                """
                {"_index":"books","_id":"b\(index)","_score":\(index % 5 == 0 ? "1" : "0.\(index + 1)"),
                 "_source":{"isbn":"0\(978_000 + index)","title":"Book \(index)","tags":["a"],"pages":\(100 + index)}}
                """
            }
            return Answer(
                body: """
                    {"took":3,"timed_out":false,"_shards":{"total":5,"successful":5,"failed":0},
                     "hits":{"total":{"value":43,"relation":"eq"},"max_score":1.0,"hits":\(body)}}
                    """)
        }
    }

    /// JSON:API: `links.next`, `page[number]` and `page[size]`.
    static func jsonAPI() -> FakeAPI {
        FakeAPI("https://api.example.test/articles") { query in
            let size = min(query["page[size]"].flatMap { Int($0) } ?? 10, 25)
            let page = query["page[number]"].flatMap { Int($0) } ?? 1
            let body = slice(38, from: (page - 1) * size, size: size) { index in
                """
                {"type":"articles","id":"\(index + 1)","attributes":{"title":"T\(index)","created-at":"2026-01-01T00:00:00Z"},
                 "relationships":{"author":{"data":{"type":"people","id":"\(index % 3)"}}},"links":{"self":"/articles/\(index + 1)"}}
                """
            }
            let address = "https://api.example.test/articles?page%5Bsize%5D=\(size)&page%5Bnumber%5D="
            let next = page * size < 38 ? "\"\(address)\(page + 1)\"" : "null"
            return Answer(
                body: """
                    {"links":{"self":"\(address)\(page)","next":\(next),"last":"\(address)9"},"data":\(body),
                     "included":[{"type":"people","id":"1"}],"meta":{"total":38}}
                    """)
        }
    }

    /// OData: `@odata.nextLink`, `$top` and `$skip`.
    static func odata() -> FakeAPI {
        FakeAPI("https://services.example.test/V4/Products?$filter=Price%20gt%201") { query in
            let size = min(query["$top"].flatMap { Int($0) } ?? 20, 20)
            let start = query["$skip"].flatMap { Int($0) } ?? 0
            let body = slice(55, from: start, size: size) { index in
                #"{"@odata.etag":"W/\"\#(index)\"","ProductID":\#(index + 1),"Name":"P\#(index)","Price":\#(index).5}"#
            }
            let next =
                start + size < 55 ? #","@odata.nextLink":"Products?$filter=Price%20gt%201&$skip=\#(start + size)""# : ""
            return Answer(body: #"{"@odata.context":"$metadata#Products","value":\#(body)\#(next)}"#)
        }
    }

    /// Django REST framework: `count`, `next`, `previous`, `results`.
    static func django() -> FakeAPI {
        FakeAPI("https://django.example.test/api/v1/planets/?format=json") { query in
            let page = query["page"].flatMap { Int($0) } ?? 1
            guard (page - 1) * 10 < 37 else { return nil }
            let body = slice(37, from: (page - 1) * 10, size: 10) { index in
                #"{"name":"Planet \#(index)","diameter":"\#(index)00","url":"https://django.example.test/api/v1/planets/\#(index)/"}"#
            }
            let address = "https://django.example.test/api/v1/planets/?format=json&page="
            let next = page * 10 < 37 ? "\"\(address)\(page + 1)\"" : "null"
            let previous = page > 1 ? "\"\(address)\(page - 1)\"" : "null"
            return Answer(body: #"{"count":37,"next":\#(next),"previous":\#(previous),"results":\#(body)}"#)
        }
    }

    /// coinpaprika: a list of all, mixed numbers, an empty text for a missing one, symbols that are not unique.
    static func coinpaprika() -> FakeAPI {
        FakeAPI("https://api.coinpaprika.com/v1/tickers") { query in
            let size = query["limit"].flatMap { Int($0) } ?? 120
            let body = slice(120, from: 0, size: size) { index in
                """
                {"id":"c\(index)-coin","name":"Coin \(index)","symbol":"S\(index / 2)","rank":\(index),"total_supply":\(index + 1)000,
                 "beta_value":\(index % 4 == 0 ? "\"\"" : "0.\(index)"),"first_data_at":"2020-01-01T00:00:00Z",
                 "quotes":{"USD":{"price":\(index % 3 == 0 ? "\(index)" : "\(index).25"),"ath_price":null}}}
                """
            }
            return Answer(body: body)
        }
    }

    /// Google: `nextPageToken`, `pageToken`, `pageSize`.
    static func google() -> FakeAPI {
        FakeAPI("https://content.example.test/v2/files?fields=*") { query in
            let size = min(query["pageSize"].flatMap { Int($0) } ?? 15, 50)
            let start = query["pageToken"].flatMap { Int($0.dropFirst(2)) } ?? 0
            let body = slice(70, from: start, size: size) { #"{"kind":"file","id":"f\#($0)","size":"\#($0)1"}"# }
            let token = start + size < 70 ? #""nextPageToken":"t:\#(start + size)","# : ""
            return Answer(body: #"{"kind":"fileList",\#(token)"incompleteSearch":false,"files":\#(body)}"#)
        }
    }

    /// Spring Data: pages from 0.
    static func spring() -> FakeAPI {
        FakeAPI("https://spring.example.test/api/orders") { query in
            let size = query["size"].flatMap { Int($0) } ?? 20
            let page = query["page"].flatMap { Int($0) } ?? 0
            let body = slice(45, from: page * size, size: size) { #"{"orderId":\#($0 + 1),"total":\#($0).0}"# }
            return Answer(
                body: """
                    {"content":\(body),"pageable":{"pageNumber":\(page),"pageSize":\(size),"offset":\(page * size)},
                     "totalPages":\((45 + size - 1) / size),"totalElements":45,"last":false,"size":\(size),"number":\(page)}
                    """)
        }
    }

    /// A bare list, pages from 0, nothing said.
    static func zeroBased() -> FakeAPI {
        FakeAPI("https://plain.example.test/things.json") { query in
            slice(33, query, first: 0)
        }
    }

    /// A bare list, pages from 1, nothing said.
    static func oneBased() -> FakeAPI {
        FakeAPI("https://plain.example.test/things.json?lang=en") { query in
            slice(33, query, first: 1)
        }
    }

    private static func slice(_ count: Int, _ query: [String: String], first: Int) -> Answer {
        let page = (query["page"].flatMap { Int($0) } ?? first) - first
        return Answer(body: slice(count, from: page * 10, size: 10) { #"{"id":\#($0),"name":"n\#($0)"}"# })
    }

    /// A cursor in a header.
    static func headerCursor() -> FakeAPI {
        FakeAPI("https://header.example.test/events") { query in
            let start = query["cursor"].flatMap { Int($0.dropFirst()) } ?? 0
            let body = slice(41, from: start, size: 10) { #"{"event_id":"e\#($0)","kind":"k"}"# }
            return Answer(body: body, headers: start + 10 < 41 ? ["X-Next-Cursor": "c\(start + 10)"] : [:])
        }
    }

    /// No single column is different in each record.
    static func composite() -> FakeAPI {
        FakeAPI("https://stats.example.test/population?offset=0&limit=20") { query in
            let size = query["limit"].flatMap { Int($0) } ?? 20
            let body = slice(60, from: query["offset"].flatMap { Int($0) } ?? 0, size: size) { index in
                #"{"country":"\#(["de", "fr", "nl"][index % 3])","year":\#(2000 + index / 3),"value":\#(index / 2)}"#
            }
            return Answer(body: #"{"total":60,"offset":\#(query["offset"] ?? "0"),"limit":\#(size),"items":\#(body)}"#)
        }
    }
}
