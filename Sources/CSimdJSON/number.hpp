/// Numbers beyond what simdjson's quick paths take.
#pragma once

#include <cstdint>
#include <string_view>

namespace csj {

/// Whether a text is a JSON number (RFC 8259, section 6).
bool is_number(std::string_view text) noexcept;

enum class whole { exact, out_of_range, not_whole };

/// The whole number that a JSON number such as `3.0` or `1e3` denotes, without rounding.
whole read_whole(std::string_view number, int64_t &result) noexcept;

}  // namespace csj
