/// A whole page: the way to its records, and the values that the pager asks for.
#include <memory>
#include <new>
#include <stdexcept>

#include "record.hpp"

namespace csj {

namespace {

class page_reader {
public:
    page_reader(const csj_plan &plan, csj_parser &parser, csj_page &page, const char *body_end, read_limits limits)
        : plan(plan), page(page), records(plan, parser, page, body_end, limits) {}

    int read(ondemand::document &document, std::string_view body) {
        ondemand::value root;
        if (document.get_value().get(root)) return CSJ_NO_RECORDS;
        // simdjson would look for what is missing in the bytes behind the end.
        const char last = trimmed(body.data(), body.data() + body.size()).back();
        if (last != (*root.raw_json_token().data() == '[' ? ']' : '}')) return CSJ_NOT_JSON;
        if (const error_code error = walk(root, plan.nodes[csj_plan::page_root], 0)) {
            if (error == simdjson::CAPACITY) return CSJ_TOO_MANY;
            return error == simdjson::DEPTH_ERROR ? CSJ_TOO_DEEP : CSJ_NOT_JSON;
        }
        // Where brackets are missing or left over, the walk ends beside the end.
        if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) return CSJ_NOT_JSON;
        return has_records ? CSJ_OK : CSJ_NO_RECORDS;
    }

private:
    error_code walk(ondemand::value &value, const node &at, int depth) {
        const char *start = value.raw_json_token().data();
        error_code error;
        if (at.is_records) {
            error = walk_records(value, depth);
        } else if (!at.children.empty() && *start == '{') {
            error = walk_object(value, at, depth);
        } else if (!at.children.empty() && *start == '[') {
            error = walk_array(value, at, depth);
        } else {
            error = check(value, depth);
        }
        if (error) return error;
        for (const uint32_t capture : at.captures) {
            page.captures[capture] = slice(records.text_of(value));
        }
        return SUCCESS;
    }

    error_code walk_object(ondemand::value &value, const node &at, int depth) {
        ondemand::object object;
        if (const error_code error = value.get_object().get(object)) return error;
        for (auto entry : object) {
            ondemand::field field;
            if (const error_code error = std::move(entry).get(field)) return error;
            const auto name = records.name(at, field.key().raw(), 0);
            if (records.first_problem().reason) return simdjson::STRING_ERROR;
            const error_code error = name.child == csj_plan::none
                ? check(field.value(), depth + 1)
                : walk(field.value(), plan.nodes[at.children[name.child]], depth + 1);
            if (error) return error;
        }
        return SUCCESS;
    }

    error_code walk_array(ondemand::value &value, const node &at, int depth) {
        ondemand::array array;
        if (const error_code error = value.get_array().get(array)) return error;
        size_t index = 0;
        for (auto entry : array) {
            ondemand::value element;
            if (const error_code error = std::move(entry).get(element)) return error;
            const size_t child = plan.find(at, std::to_string(index++));
            const error_code error = child == csj_plan::none
                ? check(element, depth + 1)
                : walk(element, plan.nodes[at.children[child]], depth + 1);
            if (error) return error;
        }
        return SUCCESS;
    }

    error_code walk_records(ondemand::value &value, int depth) {
        // The last one of several keys of one name counts. What it replaces is outside of the records, where bad strings,
        // keys and tokens spoil the page.
        for (const csj_reject &reject : page.rejects) {
            if (reject.reason >= CSJ_BAD_STRING) return simdjson::TAPE_ERROR;
        }
        page.row_count = 0;
        page.rejects.clear();
        records.restart();
        const char first = *value.raw_json_token().data();
        has_records = first == '[' || first == '{';
        if (first == '{') {
            if (const error_code error = records.read(value, depth)) return error;
            has_records = !records.names_nothing();
        } else if (first == '[') {
            ondemand::array array;
            if (const error_code error = value.get_array().get(array)) return error;
            for (auto entry : array) {
                ondemand::value element;
                if (const error_code error = std::move(entry).get(element)) return error;
                if (const error_code error = records.read(element, depth + 1)) return error;
            }
        } else {
            return check(value, depth);
        }
        records.clear_problem();
        return SUCCESS;
    }

    /// Outside of the records, anything that is no JSON spoils the page.
    error_code check(ondemand::value &value, int depth) {
        if (const error_code error = records.check(value, depth)) return error;
        return records.first_problem().reason ? simdjson::TAPE_ERROR : SUCCESS;
    }

    const csj_plan &plan;
    csj_page &page;
    record_reader records;
    bool has_records = false;
};

int read_page(const csj_plan &plan, csj_parser &parser, const uint8_t *body, size_t length, size_t capacity,
              read_limits limits, csj_page &page) {
    page.clear();
    page.captures.assign(plan.capture_count, csj_slice{nullptr, 0});
    if (length >= simdjson::SIMDJSON_MAXSIZE_BYTES) return CSJ_TOO_LARGE;
    if (capacity < length + simdjson::SIMDJSON_PADDING) {
        page.copy.assign(body, body + length);
        page.copy.resize(length + simdjson::SIMDJSON_PADDING);
        body = page.copy.data();
    }
    if (length >= 3 && std::memcmp(body, "\xEF\xBB\xBF", 3) == 0) {
        body += 3;
        length -= 3;
    }
    // In powers of two, so that pages of slightly different sizes need no new memory.
    size_t room = 4096;
    while (room < length) room *= 2;
    if (room > simdjson::SIMDJSON_MAXSIZE_BYTES) room = simdjson::SIMDJSON_MAXSIZE_BYTES;
    if (parser.simd.capacity() < room && parser.simd.allocate(room)) return CSJ_NO_MEMORY;
    ondemand::document document;
    switch (parser.simd.iterate(body, length, length + simdjson::SIMDJSON_PADDING).get(document)) {
    case simdjson::SUCCESS: break;
    case simdjson::EMPTY: return CSJ_EMPTY;
    case simdjson::UTF8_ERROR: return CSJ_INVALID_UTF8;
    case simdjson::MEMALLOC: return CSJ_NO_MEMORY;
    default: return CSJ_NOT_JSON;
    }
    const std::string_view text(reinterpret_cast<const char *>(body), length);
    return page_reader(plan, parser, page, text.data() + length, limits).read(document, text);
}

}  // namespace

}  // namespace csj

int csj_read(const csj_plan *plan, csj_parser *parser, const uint8_t *body, size_t length, size_t capacity,
             size_t most_cells, size_t most_rejects, csj_page *page) noexcept try {
    return csj::read_page(*plan, *parser, body, length, capacity, {most_cells, most_rejects}, *page);
} catch (const std::bad_alloc &) {
    return CSJ_NO_MEMORY;
} catch (const std::length_error &) {
    return CSJ_TOO_LARGE;
}

csj_parser *csj_parser_create() noexcept { return new (std::nothrow) csj_parser(); }

void csj_parser_destroy(csj_parser *parser) noexcept { delete parser; }

size_t csj_parser_footprint(const csj_parser *parser) noexcept {
    // simdjson keeps four bytes of index and five thirds of a byte of text for each byte of a page.
    return parser->simd.capacity() * 17 / 3 + parser->scratch.capacity() + parser->extra.capacity() +
           parser->unnamed.capacity() * sizeof(csj_parser::slot) + parser->last.size() * 64;
}

csj_page *csj_page_create() noexcept { return new (std::nothrow) csj_page(); }

void csj_page_destroy(csj_page *page) noexcept { delete page; }

size_t csj_page_footprint(const csj_page *page) noexcept {
    size_t long_texts = 0;
    for (const std::string &text : page->long_texts) long_texts += text.capacity();
    return page->cells.capacity() * sizeof(csj_cell) + page->rejects.capacity() * sizeof(csj_reject) +
           page->texts.footprint() + page->copy.capacity() + long_texts;
}

csj_view csj_page_view(const csj_page *page) noexcept {
    static const csj_cell none{};
    const csj_cell *cells = page->cells.empty() ? &none : page->cells.data();
    return {cells, page->row_count, page->rejects.data(), page->rejects.size(), page->captures.data()};
}
