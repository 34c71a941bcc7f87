/// A person of the source `users`.
///
/// `uid` is what identifies a person; the service's `id` repeats, and is called `number` here.
///
/// Encoded as JSON, its keys are the names of the columns, as in an export.
public struct User: CrawledRecord, Codable, Hashable {
    /// The source's name.
    public static let source = "users"

    /// The service's own number; it repeats for different people.
    public var number: Int?
    /// The UUID that identifies the person.
    public var uid: String
    /// The password.
    public var password: String?
    /// The first name.
    public var firstName: String?
    /// The last name.
    public var lastName: String?
    /// The name to log in with.
    public var username: String?
    /// The e-mail address.
    public var email: String?
    /// The address of a picture.
    public var avatar: String?
    /// The gender, one of eight words.
    public var gender: String?
    /// The telephone number as it was sent.
    public var phoneNumber: String?
    /// The social insurance number, nine digits.
    public var socialInsuranceNumber: String?
    /// The date of birth, `1983-12-02`.
    public var dateOfBirth: String?
    /// The job's title.
    public var employmentTitle: String?
    /// What the job asks for.
    public var employmentKeySkill: String?
    /// The city.
    public var addressCity: String?
    /// The street.
    public var addressStreetName: String?
    /// The street with the house number.
    public var addressStreetAddress: String?
    /// The postal code, leading zeros kept.
    public var addressZipCode: String?
    /// The state.
    public var addressState: String?
    /// The country.
    public var addressCountry: String?
    /// The latitude in degrees.
    public var addressLatitude: Double?
    /// The longitude in degrees.
    public var addressLongitude: Double?
    /// The number of the credit card.
    public var creditCardNumber: String?
    /// The plan, such as `Gold`.
    public var subscriptionPlan: String?
    /// The state of the subscription, such as `Active`.
    public var subscriptionStatus: String?
    /// How the subscription is paid.
    public var subscriptionPaymentMethod: String?
    /// For how long the subscription is paid, such as `Annual`.
    public var subscriptionTerm: String?

    /// The record's key, `uid`.
    public var id: String { uid }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case number = "id"
        case uid, password
        case firstName = "first_name"
        case lastName = "last_name"
        case username, email, avatar, gender
        case phoneNumber = "phone_number"
        case socialInsuranceNumber = "social_insurance_number"
        case dateOfBirth = "date_of_birth"
        case employmentTitle = "employment_title"
        case employmentKeySkill = "employment_key_skill"
        case addressCity = "address_city"
        case addressStreetName = "address_street_name"
        case addressStreetAddress = "address_street_address"
        case addressZipCode = "address_zip_code"
        case addressState = "address_state"
        case addressCountry = "address_country"
        case addressLatitude = "address_coordinates_lat"
        case addressLongitude = "address_coordinates_lng"
        case creditCardNumber = "credit_card_cc_number"
        case subscriptionPlan = "subscription_plan"
        case subscriptionStatus = "subscription_status"
        case subscriptionPaymentMethod = "subscription_payment_method"
        case subscriptionTerm = "subscription_term"
    }
}
