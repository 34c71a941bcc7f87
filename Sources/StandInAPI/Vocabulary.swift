/// The words that invented records are made of, as JSON text ready to be copied.
struct Vocabulary: Sendable {
    /// A name and its form in user names.
    struct Name: Sendable {
        let text: [UInt8]
        let handle: [UInt8]
    }

    static let shared = Vocabulary()

    let firstNames: [Name]
    let lastNames: [Name]
    let latin = words("lorem ipsum dolor sit amet consectetur adipisci elit sed eiusmod tempor labore magna aliqua")
    let genders = list(
        "Female, Male, Non-binary, Agender, Genderfluid, Genderqueer, Bigender, Polygender")
    let callingCodes = words("1 1-869 7-7 44 49 33 500 228 81 46 351 91 61 1-242 358 27")
    let fields = words(
        "Legal Investor Global Dynamic Senior Human Chief Customer Direct Forward Marketing Product Regional Sales")
    let jobs = words(
        "Engineer Developer Specialist Planner Analyst Consultant Officer Producer Architect Agent Assistant Designer")
    let skills = list(
        "Problem solving, Networking skills, Work under pressure, Teamwork, Leadership, Self-motivated, Communication, "
            + "Organisation, Fast learner, Confidence, Technical savvy, Proactive")
    let cityPrefixes = ["", "", "", "North ", "South ", "East ", "West ", "New ", "Lake ", "Port "].map {
        Array($0.utf8)
    }
    let cityNames = words(
        "Example Sample Test Mock Fixture Model Pattern Draft Trial Proto Muster Probe Ensayo Exempel Modelo")
    let cityEndings = ["ton", "port", "borough", "ville", "view", "side", "stad", "mouth", "fort", "burgh"].map {
        Array($0.utf8)
    }
    let streetNames = words(
        "Sample Test Mock Fixture Cedar Harbour Juniper Quarry Larch Meadow Orchard Summit Willow Bridge Mill")
    let streetKinds = words(
        "Mills Walk Expressway Flats Common Shore Street Avenue Lane Crossing Ridge Square Trail Court Parkway Well")
    let states = list(
        "Illinois, West Virginia, Florida, Ohio, Maine, Oregon, Texas, Utah, Idaho, Iowa, Kansas, Nevada, Vermont, "
            + "New York, North Dakota, Hawai'i")
    let plans = list(
        "Free Trial, Basic, Starter, Essential, Student, Bronze, Standard, Silver, Gold, Platinum, Professional, "
            + "Business, Diamond, Premium")
    let statuses = words("Active Idle Blocked Pending")
    let payments = list(
        "Credit card, Debit card, Paypal, Cash, Money transfer, Bitcoins, Cheque, Apple Pay, Google Pay, WeChat Pay, "
            + "Alipay, Visa checkout")
    let terms = list("Payment in advance, Monthly, Annual, Full subscription")

    private init() {
        firstNames = Self.names(
            "Avery Jo Robin Sam Kim Alexis Jordan Casey Morgan Riley Quinn Rowan Sasha Toni Noor Zoë/zoe José/jose "
                + "Łukasz/lukasz Анна/anna 美咲/misaki Françoise/francoise D'Arcy/d_arcy Søren/soren Ümit/umit Mary-Ann")
        lastNames = Self.names(
            "Placeholder Fixture Example Sample Mockford Tester Trialman Probe O'Sample/o_sample O'Connell/o_connell "
                + "Müller/muller Núñez/nunez D'Angelo/d_angelo Žižek/zizek Håkansson/hakansson "
                + "Smith-Jones Ångström/angstrom Петрова/petrova 山田/yamada Stehr Kuhlman Okafor Lindqvist Moreau "
                + "Castellano Brannigan Whitlock Pereira"
        )
    }

    /// One of the entries.
    @inline(__always)
    func pick(_ entries: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        entries[random.below(entries.count)]
    }

    private static func words(_ text: String) -> [[UInt8]] {
        text.split(separator: " ").map { Array($0.utf8) }
    }

    private static func list(_ text: String) -> [[UInt8]] {
        text.split(separator: ",").map { Array($0.drop { $0 == " " }.utf8) }
    }

    private static func names(_ text: String) -> [Name] {
        text.split(separator: " ").map { entry in
            let parts = entry.split(separator: "/")
            return Name(text: Array(parts[0].utf8), handle: Array((parts.last ?? "").lowercased().utf8))
        }
    }
}
