#include "number.hpp"

namespace csj {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Steps over digits; returns how many.
size_t digits(std::string_view text, size_t &at) {
    const size_t start = at;
    while (at < text.size() && is_digit(text[at])) at++;
    return at - start;
}

/// The exponent behind the `e`, held within a range in which sums cannot overflow.
int64_t read_exponent(std::string_view text) {
    constexpr int64_t limit = int64_t{1} << 40;
    size_t at = 0;
    const bool negative = text[0] == '-';
    if (text[0] == '-' || text[0] == '+') at++;
    int64_t exponent = 0;
    for (; at < text.size(); at++) {
        if (exponent < limit) exponent = exponent * 10 + (text[at] - '0');
    }
    return negative ? -exponent : exponent;
}

}  // namespace

bool is_number(std::string_view text) noexcept {
    size_t at = 0;
    if (at < text.size() && text[at] == '-') at++;
    const bool zero = at < text.size() && text[at] == '0';
    const size_t whole_digits = digits(text, at);
    if (whole_digits == 0 || (zero && whole_digits > 1)) return false;
    if (at < text.size() && text[at] == '.') {
        at++;
        if (digits(text, at) == 0) return false;
    }
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < text.size() && (text[at] == '-' || text[at] == '+')) at++;
        if (digits(text, at) == 0) return false;
    }
    return at == text.size();
}

whole read_whole(std::string_view number, int64_t &result) noexcept {
    const bool negative = number[0] == '-';
    if (negative) number.remove_prefix(1);
    int64_t exponent = 0;
    const size_t e = number.find_first_of("eE");
    if (e != std::string_view::npos) {
        exponent = read_exponent(number.substr(e + 1));
        number = number.substr(0, e);
    }
    const size_t point = number.find('.');
    if (point != std::string_view::npos) exponent -= static_cast<int64_t>(number.size() - point - 1);

    // Zeros at the end only move the point.
    size_t end = number.size();
    while (end > 0 && (number[end - 1] == '0' || number[end - 1] == '.')) {
        if (number[end - 1] == '0') exponent++;
        end--;
    }
    number = number.substr(0, end);

    uint64_t magnitude = 0;
    bool overflow = false;
    bool any = false;
    for (const char c : number) {
        if (c == '.') continue;
        any = any || c != '0';
        overflow = overflow || __builtin_mul_overflow(magnitude, uint64_t{10}, &magnitude) ||
                   __builtin_add_overflow(magnitude, static_cast<uint64_t>(c - '0'), &magnitude);
    }
    if (!any) {
        result = 0;
        return whole::exact;
    }
    if (exponent < 0) return whole::not_whole;
    for (; exponent > 0 && !overflow; exponent--) {
        overflow = __builtin_mul_overflow(magnitude, uint64_t{10}, &magnitude);
    }
    const uint64_t limit = uint64_t{1} << 63;
    if (overflow || magnitude > limit || (magnitude == limit && !negative)) return whole::out_of_range;
    result = negative ? static_cast<int64_t>(~magnitude + 1) : static_cast<int64_t>(magnitude);
    return whole::exact;
}

}  // namespace csj
