/// Reads one record after the other.
#pragma once

#include "parser.hpp"

namespace csj {

/// How many cells and rejects one read may make; beyond them the walk ends with simdjson's CAPACITY.
struct read_limits {
    size_t cells;
    size_t rejects;
};

/// Turns records into rows. A broken structure ends the whole page, with simdjson's error; anything else that is wrong
/// rejects the record and lets the next one pass.
class record_reader {
public:
    record_reader(const csj_plan &plan, csj_parser &parser, csj_page &page, const char *body_end,
                  read_limits limits);

    /// Reads a record and makes a row or a reject of it.
    error_code read(ondemand::value &record, int depth);

    /// Walks over a value that no column names, and notes the first thing in it that is no JSON.
    error_code check(ondemand::value &value, int depth);

    /// The first thing that is no JSON since `clear_problem`.
    const problem &first_problem() const { return found; }
    void clear_problem() { found = {}; }

    /// Begins a list of records.
    void restart() { record_position = 0; }

    /// Whether the record that was read last has none of the source's fields.
    bool names_nothing() const;

    /// The key of a field as it was sent, with its quotes, and the child that it names or `none`.
    struct field_name {
        std::string_view raw;
        size_t child;
        uint64_t hash;
    };
    field_name name(const node &parent, const char *key, size_t hint) {
        // Fields nearly always come in the order of the columns, so the next child is tried before any search.
        if (hint < parent.children.size()) {
            const node &next = plan.nodes[parent.children[hint]];
            if (next.is(key)) return {{key - 1, next.key.size() + 2}, hint, 0};
        }
        return search(parent, key);
    }

    /// A value as it was sent, once it was walked over.
    std::string_view text_of(ondemand::value &value) {
        const char *start = value.raw_json_token().data();
        return *start == '{' || *start == '[' ? trimmed(start, position(value)) : token(value);
    }

private:
    /// Where the walk stands; the end of the body at its end.
    const char *position(ondemand::value &value) {
        const char *location;
        return value.current_location().get(location) ? body_end : location;
    }

    /// An object on the way into a record, which appears in `extra` once something is left over in it.
    struct frame {
        frame *parent;
        std::string_view key;
        bool is_open = false;
        bool has_fields = false;
    };

    error_code walk_record(ondemand::object &record, int depth);
    error_code walk_object(ondemand::object &object, const node &at, frame &around, int depth);
    error_code walk_array(ondemand::value &value, const node &at, int depth);
    error_code take(ondemand::value &value, const node &child, frame &around, std::string_view key, int depth);
    error_code take_container(ondemand::value &value, const node &child, frame &around, std::string_view key,
                              int depth);
    field_name search(const node &parent, const char *key);
    void convert(ondemand::value &value, std::string_view text, uint32_t column);
    void convert_escaped(std::string_view raw, int column);
    void convert_other(std::string_view text, int column);
    void convert_number(ondemand::value &value, std::string_view text, int column);
    void check_scalar(std::string_view text, int column);
    /// Unescapes a raw string into scratch memory; false where it cannot be.
    bool unescape(std::string_view raw, std::string_view &result);

    void keep(frame &around, std::string_view key, std::string_view value);
    void open(frame &frame);
    void close(frame &frame);
    void note(int reason, std::string_view token, int column = -1);

    error_code find_last_keys(ondemand::object &object, const node &at);
    error_code find_last_keys(ondemand::value &value, const node &at);
    std::string full_key(const node &parent, const field_name &name);
    void finish(std::string_view record);
    void reject(std::string_view record, int reason, int column, std::string_view token);

    /// A longer `extra` is handed over instead of copied.
    static constexpr size_t long_text = 1 << 20;

    const csj_plan &plan;
    csj_parser &parser;
    csj_page &page;
    const char *body_end;
    read_limits limits;
    csj_cell *cells = nullptr;
    problem found;
    size_t record_position = 0;
    bool any_invalid = false;
    bool has_duplicates = false;
    bool resolves_duplicates = false;
    /// Above 0, what is left over is only noticed, because all of it is kept in a larger piece.
    int quiet = 0;
    bool left_over = false;
};

}  // namespace csj
