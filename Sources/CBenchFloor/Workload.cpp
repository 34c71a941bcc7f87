#include "Workload.hpp"

namespace bench {

static const Workload users = {
    "users", "uid", false, "size", "",
    {
        {"id", "id", Type::integer},
        {"uid", "uid", Type::text},
        {"password", "password", Type::text},
        {"first_name", "first_name", Type::text},
        {"last_name", "last_name", Type::text},
        {"username", "username", Type::text},
        {"email", "email", Type::text},
        {"avatar", "avatar", Type::text},
        {"gender", "gender", Type::text},
        {"phone_number", "phone_number", Type::text},
        {"social_insurance_number", "social_insurance_number", Type::text},
        {"date_of_birth", "date_of_birth", Type::text},
        {"employment_title", "employment.title", Type::text},
        {"employment_key_skill", "employment.key_skill", Type::text},
        {"address_city", "address.city", Type::text},
        {"address_street_name", "address.street_name", Type::text},
        {"address_street_address", "address.street_address", Type::text},
        {"address_zip_code", "address.zip_code", Type::text},
        {"address_state", "address.state", Type::text},
        {"address_country", "address.country", Type::text},
        {"address_coordinates_lat", "address.coordinates.lat", Type::real},
        {"address_coordinates_lng", "address.coordinates.lng", Type::real},
        {"credit_card_cc_number", "credit_card.cc_number", Type::text},
        {"subscription_plan", "subscription.plan", Type::text},
        {"subscription_status", "subscription.status", Type::text},
        {"subscription_payment_method", "subscription.payment_method", Type::text},
        {"subscription_term", "subscription.term", Type::text},
    }};

static const Workload posts = {
    "posts", "id", true, "_limit", "_page",
    {
        {"id", "id", Type::integer},
        {"userId", "userId", Type::integer},
        {"title", "title", Type::text},
        {"body", "body", Type::text},
    }};

const Workload &workload(bench_floor_source source) {
    return source == BENCH_FLOOR_POSTS ? posts : users;
}

}  // namespace bench
