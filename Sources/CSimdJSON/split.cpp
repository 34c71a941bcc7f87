/// Finds the records of a page without an index of the whole page, and cuts them into pieces that are read one by one.
///
/// simdjson needs four bytes for each token of a document, and a row a cell for each column: a page that is nothing but
/// brackets would take many times its size. What is skipped here is checked when the pieces, and what stands around
/// them, are read.
#include <array>
#include <new>

#include "parser.hpp"

struct csj_split {
    std::vector<csj_piece> pieces;
    csj_slice list{nullptr, 0};
};

namespace csj {

namespace {

enum char_class : uint8_t { plain, blank, quote, opening, closing, comma, colon };

constexpr std::array<uint8_t, 256> make_classes() {
    std::array<uint8_t, 256> classes{};
    for (const char c : {' ', '\n', '\r', '\t'}) classes[static_cast<uint8_t>(c)] = blank;
    for (const char c : {'{', '['}) classes[static_cast<uint8_t>(c)] = opening;
    for (const char c : {'}', ']'}) classes[static_cast<uint8_t>(c)] = closing;
    classes[static_cast<uint8_t>('"')] = quote;
    classes[static_cast<uint8_t>(',')] = comma;
    classes[static_cast<uint8_t>(':')] = colon;
    return classes;
}

constexpr std::array<uint8_t, 256> classes = make_classes();

class splitter {
public:
    splitter(const csj_plan &plan, csj_parser &parser, csj_split &split, const char *start, const char *end)
        : plan(plan), parser(parser), split(split), at(start), end(end), start(start) {}

    int run() {
        skip_blanks();
        if (at == end) return CSJ_EMPTY;
        if (!walk(plan.nodes[csj_plan::page_root], 0)) return status;
        skip_blanks();
        if (at != end) return CSJ_NOT_JSON;
        const size_t around = static_cast<size_t>(end - start) - split.list.length;
        const size_t tokens_around = tokens - tokens_in_list;
        return around > CSJ_MOST_VALUE_BYTES || tokens_around > CSJ_MOST_VALUE_TOKENS ? CSJ_VALUE_TOO_LARGE : CSJ_OK;
    }

private:
    /// Goes over the value that comes next, and into it where the records may be in it.
    bool walk(const node &node, int depth) {
        skip_blanks();
        if (at == end) return fail(CSJ_NOT_JSON);
        if (depth >= CSJ_MAX_DEPTH) return fail(CSJ_TOO_DEEP);
        // The last one of several keys of one name counts.
        if (node.is_records) {
            split.list = {nullptr, 0};
            split.pieces.clear();
            tokens_in_list = 0;
            return *at == '[' ? cut() : skip();
        }
        if (node.children.empty() || (*at != '{' && *at != '[')) return skip();
        const bool is_object = *at++ == '{';
        tokens++;
        skip_blanks();
        if (at < end && *at == (is_object ? '}' : ']')) return step();
        for (size_t index = 0;; index++) {
            std::string key = std::to_string(index);
            if (is_object && !read_key(key)) return false;
            const size_t child = plan.find(node, key);
            const bool is_fine = child == csj_plan::none ? skip() : walk(plan.nodes[node.children[child]], depth + 1);
            if (!is_fine) return false;
            skip_blanks();
            if (at == end) return fail(CSJ_NOT_JSON);
            if (*at == (is_object ? '}' : ']')) return step();
            if (*at != ',') return fail(CSJ_NOT_JSON);
            step();
        }
    }

    /// Cuts the list that begins here into pieces.
    bool cut() {
        const char *list = at;
        const size_t tokens_before = tokens;
        step();
        skip_blanks();
        if (at < end && *at == ']') {
            step();
            return close(list, tokens_before);
        }
        csj_piece piece{static_cast<size_t>(at - start), 0, 0};
        size_t piece_tokens = tokens;
        while (true) {
            const char *element = at;
            const size_t element_tokens = tokens;
            if (!skip()) return false;
            if (static_cast<size_t>(at - element) > CSJ_MOST_VALUE_BYTES ||
                tokens - element_tokens > CSJ_MOST_VALUE_TOKENS) {
                return fail(CSJ_VALUE_TOO_LARGE);
            }
            piece.count++;
            piece.end = static_cast<size_t>(at - start);
            skip_blanks();
            if (at == end || (*at != ',' && *at != ']')) return fail(CSJ_NOT_JSON);
            const bool is_last = *at == ']';
            step();
            if (is_last || piece.count == most_records || piece.end - piece.begin >= enough_bytes ||
                tokens - piece_tokens >= enough_tokens) {
                split.pieces.push_back(piece);
                if (is_last) return close(list, tokens_before);
                skip_blanks();
                piece = {static_cast<size_t>(at - start), 0, 0};
                piece_tokens = tokens;
            }
        }
    }

    bool close(const char *list, size_t tokens_before) {
        split.list = {list, static_cast<size_t>(at - list)};
        tokens_in_list = tokens - tokens_before;
        return true;
    }

    /// Steps over the value that comes next, whatever it is; false where there is none or it does not end.
    bool skip() {
        skip_blanks();
        const char *value = at;
        size_t depth = 0;
        while (at < end) {
            switch (classes[static_cast<uint8_t>(*at)]) {
            case plain: while (at < end && classes[static_cast<uint8_t>(*at)] == plain) at++; break;
            case blank: skip_blanks(); continue;
            case quote: if (!skip_string()) return false; break;
            case opening:
                if (++depth > CSJ_MAX_DEPTH) return fail(CSJ_TOO_DEEP);
                step();
                continue;
            case closing:
                if (depth == 0) return fail(CSJ_NOT_JSON);
                depth--;
                step();
                break;
            default:
                // A comma or a colon outside of everything: there is no value.
                if (depth == 0) return fail(CSJ_NOT_JSON);
                step();
                continue;
            }
            if (depth == 0) return at > value || fail(CSJ_NOT_JSON);
        }
        return fail(CSJ_NOT_JSON);
    }

    bool skip_string() {
        tokens++;
        at++;
        while (true) {
            // A NUL stops it, at the latest that of the padding.
            at += std::strcspn(at, "\"\\");
            if (at >= end) return fail(CSJ_NOT_JSON);
            const char found = *at++;
            if (found == '"') return true;
            if (found == '\\' && at++ >= end) return fail(CSJ_NOT_JSON);
        }
    }

    /// Reads a key and its colon.
    bool read_key(std::string &key) {
        skip_blanks();
        if (at == end || *at != '"') return fail(CSJ_NOT_JSON);
        const char *begin = at + 1;
        if (!skip_string()) return false;
        const std::string_view raw(begin, static_cast<size_t>(at - begin) - 1);
        // No name on the way to the records is as long.
        key.assign(raw.substr(0, longest_key));
        if (key.size() < longest_key && raw.find('\\') != std::string_view::npos) {
            std::vector<uint8_t> room(raw.size() + simdjson::SIMDJSON_PADDING);
            uint8_t *out = room.data();
            std::string_view text;
            const ondemand::raw_json_string source(reinterpret_cast<const uint8_t *>(begin));
            if (parser.simd.unescape(source, out).get(text)) return fail(CSJ_NOT_JSON);
            key.assign(text);
        }
        skip_blanks();
        if (at == end || *at != ':') return fail(CSJ_NOT_JSON);
        return step();
    }

    void skip_blanks() {
        if (at < end && classes[static_cast<uint8_t>(*at)] == blank) at += std::strspn(at, " \n\r\t");
    }

    bool step() {
        tokens++;
        at++;
        return true;
    }

    bool fail(int why) {
        status = why;
        return false;
    }

    /// A piece is closed behind the record with which it has so many records, bytes or tokens.
    static constexpr size_t most_records = 512;
    static constexpr size_t enough_bytes = 256 << 10;
    static constexpr size_t enough_tokens = 64 << 10;
    static constexpr size_t longest_key = 64 << 10;

    const csj_plan &plan;
    csj_parser &parser;
    csj_split &split;
    const char *at;
    const char *end;
    const char *start;
    size_t tokens = 0;
    size_t tokens_in_list = 0;
    int status = CSJ_NOT_JSON;
};

}  // namespace

}  // namespace csj

int csj_split_read(csj_split *split, const csj_plan *plan, csj_parser *parser, const uint8_t *body,
                   size_t length) noexcept try {
    split->pieces.clear();
    split->list = {nullptr, 0};
    const char *start = reinterpret_cast<const char *>(body);
    return csj::splitter(*plan, *parser, *split, start, start + length).run();
} catch (const std::bad_alloc &) {
    return CSJ_NO_MEMORY;
}

csj_split *csj_split_create() noexcept { return new (std::nothrow) csj_split(); }

void csj_split_destroy(csj_split *split) noexcept { delete split; }

const csj_piece *csj_split_pieces(const csj_split *split, size_t *count) noexcept {
    *count = split->pieces.size();
    return split->pieces.data();
}

csj_slice csj_split_list(const csj_split *split) noexcept { return split->list; }
