/// simdjson as this room uses it, and the small things that every part of the room needs.
#pragma once

// The checks for a wrong order of calls change the layout of simdjson's classes with the optimisation level; without
// them a debug build runs the very code that a release build runs.
#define SIMDJSON_DEVELOPMENT_CHECKS 0
#include <simdjson.h>

#include <cstring>
#include <string_view>

#include "csimdjson.h"

namespace csj {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

inline bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The text without white space at its end; a token of simdjson reaches up to the next one.
inline std::string_view trimmed(const char *start, const char *end) {
    while (end > start && is_space(end[-1])) end--;
    return {start, static_cast<size_t>(end - start)};
}

inline std::string_view token(ondemand::value &value) {
    const std::string_view raw = value.raw_json_token();
    return trimmed(raw.data(), raw.data() + raw.size());
}

inline csj_slice slice(std::string_view text) { return {text.data(), text.size()}; }

/// Whether a token can be no value at all: the document's structure is broken.
inline bool is_structural(char c) { return c == ',' || c == ':' || c == ']' || c == '}'; }

/// The end of a raw key that begins behind its quote: the closing quote. Sets `escapes` where the key has a backslash.
inline const char *end_of_key(const char *key, bool &escapes) {
    escapes = false;
    while (*key != '"') {
        if (*key == '\\') {
            escapes = true;
            key++;
        }
        key++;
    }
    return key;
}

}  // namespace csj
