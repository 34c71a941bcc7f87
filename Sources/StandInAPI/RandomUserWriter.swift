/// Writes one invented person in the shape of the randomuser API.
enum RandomUserWriter {
    /// Writes the person of an identity; distinct identities have distinct keys.
    static func write(_ identity: UInt64, to json: inout JSONText) {
        var random = SplitMix64(seed: identity)
        let words = Vocabulary.shared
        let first = words.firstNames[random.below(words.firstNames.count)]
        let last = words.lastNames[random.below(words.lastNames.count)]
        let handle = text(first.handle) + "." + text(last.handle)
        let portrait = random.below(100)
        let set = random.below(2) == 0 ? "men" : "women"
        json.object { person in
            person.field("gender", set == "men" ? "male" : "female")
            person.field("name") { name in
                name.object {
                    $0.field("title", set == "men" ? "Mr" : "Ms")
                    $0.field("first", text(first.text))
                    $0.field("last", text(last.text))
                }
            }
            person.field("location") { writeLocation(&random, to: &$0) }
            person.field("email", handle + "@example.com")
            person.field("login") { writeLogin(identity, handle, &random, to: &$0) }
            person.field("dob") { writeDate(&random, from: -500_000_000, to: &$0) }
            person.field("registered") { writeDate(&random, from: 1_000_000_000, to: &$0) }
            person.field("phone", "(555) 010-\(1_000 + random.below(9_000))")
            person.field("cell", "(555) 011-\(1_000 + random.below(9_000))")
            person.field("id") { id in
                let known = random.below(3) > 0
                id.object {
                    $0.field("name", known ? "SSN" : "")
                    if known {
                        $0.field("value", "900-\(10 + random.below(90))-\(1_000 + random.below(9_000))")
                    } else {
                        $0.field("value") { $0.null() }
                    }
                }
            }
            person.field("picture") { picture in
                picture.object {
                    $0.field("large", "https://randomuser.me/api/portraits/\(set)/\(portrait).jpg")
                    $0.field("medium", "https://randomuser.me/api/portraits/med/\(set)/\(portrait).jpg")
                    $0.field("thumbnail", "https://randomuser.me/api/portraits/thumb/\(set)/\(portrait).jpg")
                }
            }
            person.field("nat", ["US", "GB", "DE", "FR", "NL"][random.below(5)])
        }
    }

    private static func writeLocation(_ random: inout SplitMix64, to json: inout JSONText) {
        let words = Vocabulary.shared
        let street = text(words.pick(words.streetNames, &random)) + " " + text(words.pick(words.streetKinds, &random))
        let city = text(words.pick(words.cityNames, &random)) + text(words.pick(words.cityEndings, &random))
        json.object { location in
            location.field("street") { field in
                field.object {
                    $0.field("number", 1 + random.below(9_999))
                    $0.field("name", street)
                }
            }
            location.field("city", city)
            location.field("state", text(words.pick(words.states, &random)))
            location.field("country", "United States")
            // The service sends a number for some countries and a text for others.
            let code = random.below(100_000)
            if random.below(2) == 0 {
                location.field("postcode", code)
            } else {
                location.field("postcode", "\(10 + code % 90)X \(code)")
            }
            location.field("coordinates") { field in
                field.object {
                    $0.field("latitude", String(Double(random.below(1_800_000) - 900_000) / 10_000))
                    $0.field("longitude", String(Double(random.below(3_600_000) - 1_800_000) / 10_000))
                }
            }
            location.field("timezone") { field in
                field.object {
                    $0.field("offset", "+\(random.below(12)):00")
                    $0.field("description", "Exampleton, Sampleville")
                }
            }
        }
    }

    private static func writeLogin(
        _ identity: UInt64, _ handle: String, _ random: inout SplitMix64, to json: inout JSONText
    ) {
        var uuid: [UInt8] = []
        // The four bits that a UUID's version takes from the identity are repeated at its end.
        uuid.append(uuid: identity, SplitMix64.mixed(identity) & ~0xF | (identity >> 12 & 0xF))
        let hexadecimal = { (words: Int, random: inout SplitMix64) in
            var bytes: [UInt8] = []
            for _ in 0..<words * 8 { bytes.append(hexadecimal: UInt8(random.below(256))) }
            return text(bytes)
        }
        json.object {
            $0.field("uuid", text(uuid))
            $0.field("username", handle + String(random.below(1_000)))
            $0.field("password", "invented")
            $0.field("salt", String(hexadecimal(1, &random).prefix(8)))
            $0.field("md5", hexadecimal(2, &random))
            $0.field("sha1", String(hexadecimal(3, &random).prefix(40)))
            $0.field("sha256", hexadecimal(4, &random))
        }
    }

    private static func writeDate(_ random: inout SplitMix64, from start: Int, to json: inout JSONText) {
        let moment = start + random.below(700_000_000)
        json.object {
            $0.field("date", CivilTime(moment).rfc3339.dropLast() + ".\(100 + random.below(900))Z")
            $0.field("age", (1_790_000_000 - moment) / 31_557_600)
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
