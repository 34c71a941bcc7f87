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
///
/// Where brackets are missing, simdjson's place behind the last token is the start of the document.
inline std::string_view trimmed(const char *start, const char *end) {
    if (end < start) return {start, 0};
    while (end > start && is_space(end[-1])) end--;
    return {start, static_cast<size_t>(end - start)};
}

/// The token of a scalar; must not be asked for where `is_structural` holds, since there may be none.
inline std::string_view token(ondemand::value &value) {
    const std::string_view raw = value.raw_json_token();
    return trimmed(raw.data(), raw.data() + raw.size());
}

/// Steps over a string. simdjson's own skipping takes a string before a colon for a key, wherever it stands.
inline void step_over_string(ondemand::value &value) { (void)value.get_raw_json_string().error(); }

inline csj_slice slice(std::string_view text) { return {text.data(), text.size()}; }

inline bool is_string(std::string_view text) {
    return text.size() >= 2 && text.front() == '"' && text.back() == '"';
}

inline std::string_view without_quotes(std::string_view text) { return text.substr(1, text.size() - 2); }

inline bool begins_number(char c) { return c == '-' || (c >= '0' && c <= '9'); }

/// Whether a raw string has a backslash. Most strings are too short for a call of memchr to pay.
inline bool has_escapes(std::string_view raw) {
    constexpr uint64_t ones = 0x0101010101010101u;
    const auto word_has = [](const char *at) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        word ^= ones * '\\';
        return ((word - ones) & ~word & (ones << 7)) != 0;
    };
    const char *at = raw.data();
    const char *end = at + raw.size();
    if (raw.size() < 8) {
        for (; at < end; at++) {
            if (*at == '\\') return true;
        }
        return false;
    }
    for (; end - at >= 8; at += 8) {
        if (word_has(at)) return true;
    }
    // The last word overlaps with the one before it.
    return word_has(end - 8);
}

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
