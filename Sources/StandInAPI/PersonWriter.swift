/// Writes one invented person in the shape of the users API.
enum PersonWriter {
    static func append(
        uidHigh: UInt64, uidLow: UInt64, _ random: inout SplitMix64, to bytes: inout [UInt8]
    ) {
        let words = Vocabulary.shared
        let first = words.firstNames[random.below(words.firstNames.count)]
        let last = words.lastNames[random.below(words.lastNames.count)]
        bytes.append("{\"id\":")
        bytes.append(decimal: 1 + random.below(9_999))
        bytes.append(",\"uid\":\"")
        bytes.append(uuid: uidHigh, uidLow)
        bytes.append("\",\"password\":\"")
        append(lettersAndDigits: 10, &random, to: &bytes)
        bytes.append("\",\"first_name\":\"")
        bytes.append(contentsOf: first.text)
        bytes.append("\",\"last_name\":\"")
        bytes.append(contentsOf: last.text)
        bytes.append("\",\"username\":\"")
        append(username: first, last, to: &bytes)
        bytes.append("\",\"email\":\"")
        append(username: first, last, to: &bytes)
        bytes.append("@email.com\",\"avatar\":\"https://robohash.org/")
        for _ in 0..<3 { bytes.append(contentsOf: words.pick(words.latin, &random)) }
        bytes.append(".png?size=300x300\\u0026set=set1\",\"gender\":\"")
        bytes.append(contentsOf: words.pick(words.genders, &random))
        bytes.append("\",\"phone_number\":\"")
        append(phone: &random, to: &bytes)
        bytes.append("\",\"social_insurance_number\":\"")
        bytes.append(decimal: random.below(1_000_000_000), width: 9)
        bytes.append("\",\"date_of_birth\":\"")
        bytes.append(decimal: 1_955 + random.below(52))
        bytes.append(0x2D)
        bytes.append(decimal: 1 + random.below(12), width: 2)
        bytes.append(0x2D)
        bytes.append(decimal: 1 + random.below(28), width: 2)
        bytes.append("\",\"employment\":{\"title\":\"")
        bytes.append(contentsOf: words.pick(words.fields, &random))
        bytes.append(0x20)
        bytes.append(contentsOf: words.pick(words.jobs, &random))
        bytes.append("\",\"key_skill\":\"")
        bytes.append(contentsOf: words.pick(words.skills, &random))
        bytes.append("\"},\"address\":{\"city\":\"")
        append(address: &random, to: &bytes)
        bytes.append("},\"credit_card\":{\"cc_number\":\"")
        append(cardNumber: &random, to: &bytes)
        bytes.append("\"},\"subscription\":{\"plan\":\"")
        bytes.append(contentsOf: words.pick(words.plans, &random))
        bytes.append("\",\"status\":\"")
        bytes.append(contentsOf: words.pick(words.statuses, &random))
        bytes.append("\",\"payment_method\":\"")
        bytes.append(contentsOf: words.pick(words.payments, &random))
        bytes.append("\",\"term\":\"")
        bytes.append(contentsOf: words.pick(words.terms, &random))
        bytes.append("\"}}")
    }

    private static func append(username first: Vocabulary.Name, _ last: Vocabulary.Name, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: first.handle)
        bytes.append(0x2E)
        bytes.append(contentsOf: last.handle)
    }

    private static func append(lettersAndDigits count: Int, _ random: inout SplitMix64, to bytes: inout [UInt8]) {
        let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for _ in 0..<count { bytes.append(alphabet.utf8Start[random.below(62)]) }
    }

    private static func append(phone random: inout SplitMix64, to bytes: inout [UInt8]) {
        let words = Vocabulary.shared
        bytes.append(0x2B)
        bytes.append(contentsOf: words.pick(words.callingCodes, &random))
        bytes.append(0x20)
        let separator: UInt8 = random.below(2) == 0 ? 0x2D : 0x2E
        if random.below(2) == 0 {
            bytes.append(decimal: 200 + random.below(800))
            bytes.append(separator)
        }
        bytes.append("555")
        bytes.append(separator)
        bytes.append(decimal: 10 + random.below(10), width: 3)
        bytes.append(separator)
        bytes.append(decimal: random.below(10_000), width: 4)
        if random.below(3) == 0 {
            bytes.append(" x")
            bytes.append(decimal: random.below(10_000), width: 3)
        }
    }

    private static func append(address random: inout SplitMix64, to bytes: inout [UInt8]) {
        let words = Vocabulary.shared
        bytes.append(contentsOf: words.pick(words.cityPrefixes, &random))
        bytes.append(contentsOf: words.pick(words.cityNames, &random))
        bytes.append(contentsOf: words.pick(words.cityEndings, &random))
        bytes.append("\",\"street_name\":\"")
        bytes.append(contentsOf: words.pick(words.streetNames, &random))
        bytes.append(0x20)
        bytes.append(contentsOf: words.pick(words.streetKinds, &random))
        bytes.append("\",\"street_address\":\"")
        bytes.append(decimal: 1 + random.below(99_999))
        bytes.append(0x20)
        bytes.append(contentsOf: words.pick(words.streetNames, &random))
        bytes.append(0x20)
        bytes.append(contentsOf: words.pick(words.streetKinds, &random))
        bytes.append("\",\"zip_code\":\"")
        bytes.append(decimal: random.below(100_000), width: 5)
        if random.below(2) == 0 {
            bytes.append(0x2D)
            bytes.append(decimal: random.below(10_000), width: 4)
        }
        bytes.append("\",\"state\":\"")
        bytes.append(contentsOf: words.pick(words.states, &random))
        bytes.append("\",\"country\":\"United States\",\"coordinates\":{\"lat\":")
        bytes.append(double: random.unit() * 180 - 90)
        bytes.append(",\"lng\":")
        bytes.append(double: random.unit() * 360 - 180)
        bytes.append(0x7D)
    }

    private static func append(cardNumber random: inout SplitMix64, to bytes: inout [UInt8]) {
        guard random.below(3) > 0 else {
            bytes.append("40000")
            bytes.append(decimal: random.below(100_000_000), width: 8)
            return
        }
        bytes.append(decimal: 4_000 + random.below(2_900))
        for _ in 0..<3 {
            bytes.append(0x2D)
            bytes.append(decimal: random.below(10_000), width: 4)
        }
    }
}
