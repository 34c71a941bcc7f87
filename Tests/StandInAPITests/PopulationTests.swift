import Foundation
import StandInAPI
import Testing

@Suite struct PopulationTests {
    @Test func samePersonForSameSeedAndIndexAndNoOther() {
        let population = Population(seed: 7)
        #expect(population.person(at: 3) == Population(seed: 7, size: 9).person(at: 3))
        #expect(population.person(at: 3).json != population.person(at: 4).json)
        #expect(population.person(at: 3).uid != Population(seed: 8).person(at: 3).uid)
    }

    @Test func uidsAreDistinctVersion4AndThoseOfThePeople() {
        let population = Population(seed: 1)
        let uids = (0..<40_000).map { population.uid(at: $0) }
        #expect(Set(uids).count == uids.count)
        for (index, uid) in uids.prefix(500).enumerated() {
            #expect(uid.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
            let person = population.person(at: index)
            #expect(person.uid == uid)
            #expect(person.json.contains("\"uid\":\"\(uid)\""))
        }
    }

    @Test func idsRepeatForDifferentPeopleAsTheServiceHasThem() throws {
        let population = Population(seed: 2)
        var ids: Set<Int> = []
        for index in 0..<1_000 {
            let id = try #require(try object(population.person(at: index).json)["id"] as? Int)
            #expect((1...9_999).contains(id))
            ids.insert(id)
        }
        // 1,000 draws from 9,999 give 952 distinct ones on average.
        #expect((925...975).contains(ids.count))
    }

    @Test func valuesAreThoseThatTripUpClients() throws {
        let population = Population(seed: 3)
        let people = try (0..<2_000).map { try object(population.person(at: $0).json) }
        let texts = people.compactMap { $0["last_name"] as? String } + people.compactMap { $0["first_name"] as? String }
        #expect(texts.contains { $0.contains("'") })
        #expect(texts.contains { $0.utf8.count > $0.count })
        let zips = people.compactMap { ($0["address"] as? [String: Any])?["zip_code"] as? String }
        #expect(zips.allSatisfy { $0.wholeMatch(of: /[0-9]{5}(-[0-9]{4})?/) != nil })
        #expect(zips.contains { $0.hasPrefix("0") && $0.count == 5 } && zips.contains { $0.count == 10 })
        #expect(people.compactMap { $0["phone_number"] as? String }.allSatisfy { $0.hasPrefix("+") })
        #expect(
            people.compactMap { $0["social_insurance_number"] as? String }.allSatisfy {
                $0.wholeMatch(of: /[0-9]{9}/) != nil
            })
        #expect(
            people.compactMap { $0["date_of_birth"] as? String }.allSatisfy {
                $0.wholeMatch(of: /[12][0-9]{3}-[01][0-9]-[0-3][0-9]/) != nil
            })
        let json = population.person(at: 0).json
        #expect(json.contains("\\u0026set=set1") && !json.contains("&") && !json.contains("\n"))
        #expect((700...1_300).contains(json.utf8.count))
        let digits = (0..<200).compactMap { index -> Int? in
            population.person(at: index).json.firstMatch(of: /"lat":(-?[0-9.e-]+)/)?.1.filter(\.isNumber).count
        }
        #expect(digits.count == 200 && (digits.max() ?? 0) >= 17)
    }
}

/// The keys of an object at all depths, nested names joined by dots.
func keys(_ value: Any, _ prefix: String = "") -> Set<String> {
    guard let object = value as? [String: Any] else { return prefix.isEmpty ? [] : [prefix] }
    return object.reduce(into: []) { names, field in
        names.formUnion(keys(field.value, prefix.isEmpty ? field.key : prefix + "." + field.key))
    }
}

/// The object that a text holds.
func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

/// The list of objects that a text holds.
func list(_ text: String) throws -> [[String: Any]] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
}
