/// The shape of a source's pages and records, as a tree of keys.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "csimdjson.h"

namespace csj {

struct column {
    int type;
    bool required;
    bool accepts_numbers;
};

/// One key on the way to a column, to the records or to a captured value.
struct node {
    uint32_t id = 0;
    std::string key;
    /// The key and its closing quote as whole words, for a quick comparison with raw bytes; not used (`word_count` 0)
    /// for a key that is long or does not stand in JSON as it is.
    static constexpr size_t most_words = 4;
    uint64_t words[most_words] = {};
    uint64_t last_mask = 0;
    size_t word_count = 0;
    /// The columns that take this value; more than one only where columns share a path.
    std::vector<uint32_t> columns;
    std::vector<uint32_t> children;
    /// Open addressing over the children: index + 1, or 0.
    std::vector<uint32_t> slots;
    bool is_records = false;
    std::vector<uint32_t> captures;

    void set_key(const std::string &text);

    /// Whether the raw bytes behind a quote are the key and a quote; reads up to 32 bytes.
    bool is(const char *raw) const {
        if (word_count == 0) return false;
        uint64_t word;
        for (size_t i = 0; i + 1 < word_count; i++) {
            std::memcpy(&word, raw + i * 8, 8);
            if (word != words[i]) return false;
        }
        std::memcpy(&word, raw + (word_count - 1) * 8, 8);
        return (word & last_mask) == words[word_count - 1];
    }
};

inline uint64_t hash(std::string_view text, uint64_t seed = 0) {
    uint64_t value = 14695981039346656037ull ^ (seed * 0x9E3779B97F4A7C15ull);
    for (const char c : text) value = (value ^ static_cast<uint8_t>(c)) * 1099511628211ull;
    return value ^ (value >> 29);
}

}  // namespace csj

struct csj_plan {
    /// The top of the page and the top of a record; more nodes follow.
    static constexpr uint32_t page_root = 0, record_root = 1;
    static constexpr size_t none = SIZE_MAX;

    std::vector<csj::node> nodes;
    std::vector<csj::column> columns;
    size_t capture_count = 0;
    bool empty_text_is_null = false;
    bool has_required = false;

    explicit csj_plan(bool empty_text_is_null);

    /// The node at the end of a path; made where it is missing.
    csj::node &grow(uint32_t root, const uint8_t *bytes, const size_t *lengths, size_t count);

    /// The place of a key among a node's children, or `none`.
    size_t find(const csj::node &parent, std::string_view key) const {
        if (parent.slots.empty()) return none;
        const size_t mask = parent.slots.size() - 1;
        for (size_t at = csj::hash(key) & mask; parent.slots[at] != 0; at = (at + 1) & mask) {
            const size_t index = parent.slots[at] - 1;
            if (nodes[parent.children[index]].key == key) return index;
        }
        return none;
    }

private:
    void rehash(csj::node &parent);
};
