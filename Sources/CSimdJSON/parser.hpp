/// The working memory of a read, and the result of one.
#pragma once

#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena.hpp"
#include "plan.hpp"
#include "simd.hpp"

namespace csj {

/// A kind that no finished row has: a value that its column does not take; the reason stands in the upper bits.
constexpr uint32_t invalid_cell = 7;

inline void set_text(csj_cell &cell, std::string_view text) {
    cell.kind = CSJ_TEXT;
    cell.length = static_cast<uint32_t>(text.size());
    cell.text = text.data();
}

inline void set_invalid(csj_cell &cell, int reason, std::string_view token) {
    set_text(cell, token);
    cell.kind = invalid_cell | static_cast<uint32_t>(reason) << 8;
}

/// Something in a record that is no JSON although the structure around it is whole.
struct problem {
    int reason = 0;
    int column = -1;
    std::string_view token;
};

/// The last place of each key of a record that has some key twice.
using last_keys = std::unordered_map<std::string, const char *>;

}  // namespace csj

struct csj_parser {
    csj::ondemand::parser simd;
    /// For texts that are unescaped only to see whether they can be.
    std::vector<uint8_t> scratch;
    /// The `extra` text of the record that is being read.
    std::string extra;
    /// The record in which a node was last seen, by node.
    std::vector<uint64_t> seen;
    /// The hashes of the unnamed keys of a record: a table in which a slot is free unless it has the record's number.
    struct slot {
        uint64_t record = 0, hash = 0;
    };
    std::vector<slot> unnamed;
    size_t unnamed_count = 0;
    uint64_t record_number = 0;
    csj::last_keys last;

    /// Notes an unnamed key; whether the record (most likely) has it already.
    bool note_unnamed(uint64_t hash);
};

struct csj_page {
    std::vector<csj_cell> cells;
    std::vector<csj_reject> rejects;
    std::vector<csj_slice> captures;
    csj::arena texts;
    /// In a deque, whose elements stay where they are.
    std::deque<std::string> long_texts;
    /// The body, where it came without padding.
    std::vector<uint8_t> copy;
    size_t row_count = 0;

    void clear() {
        row_count = 0;
        rejects.clear();
        texts.clear();
        long_texts.clear();
    }
};
