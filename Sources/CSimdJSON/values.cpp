/// Single values: what a column makes of them, and whether they are JSON at all.
#include "number.hpp"
#include "record.hpp"

namespace csj {

namespace {

bool has_escapes(std::string_view raw) { return std::memchr(raw.data(), '\\', raw.size()) != nullptr; }

bool is_string(std::string_view text) { return text.size() >= 2 && text.front() == '"' && text.back() == '"'; }

std::string_view without_quotes(std::string_view text) { return text.substr(1, text.size() - 2); }

bool begins_number(char c) { return c == '-' || (c >= '0' && c <= '9'); }

}  // namespace

const char *record_reader::position(ondemand::value &value) {
    const char *location;
    return value.current_location().get(location) ? body_end : location;
}

record_reader::field_name record_reader::name(const node &parent, const char *key, size_t hint) {
    if (hint < parent.children.size()) {
        // Fields nearly always come in the order of the columns, so the next child is tried before any search.
        const node &next = plan.nodes[parent.children[hint]];
        const size_t length = next.key.size();
        if (next.plain && static_cast<size_t>(body_end - key) > length && key[length] == '"' &&
            std::memcmp(key, next.key.data(), length) == 0) {
            return {{key - 1, length + 2}, hint, 0};
        }
    }
    bool escapes;
    const char *end = end_of_key(key, escapes);
    const std::string_view raw(key - 1, static_cast<size_t>(end - key) + 2);
    std::string_view plain = without_quotes(raw);
    if (escapes && !unescape(without_quotes(raw), plain)) note(CSJ_BAD_KEY, raw);
    return {raw, plan.find(parent, plain), hash(plain)};
}

error_code record_reader::check(ondemand::value &value, int depth) {
    const char first = *value.raw_json_token().data();
    if (is_structural(first)) return simdjson::TAPE_ERROR;
    if (first != '{' && first != '[') {
        check_scalar(token(value), -1);
        return SUCCESS;
    }
    if (depth >= CSJ_MAX_DEPTH) return simdjson::DEPTH_ERROR;
    if (first == '[') {
        ondemand::array array;
        if (const error_code error = value.get_array().get(array)) return error;
        for (auto entry : array) {
            ondemand::value element;
            if (const error_code error = std::move(entry).get(element)) return error;
            if (const error_code error = check(element, depth + 1)) return error;
        }
        return SUCCESS;
    }
    ondemand::object object;
    if (const error_code error = value.get_object().get(object)) return error;
    for (auto entry : object) {
        ondemand::field field;
        if (const error_code error = std::move(entry).get(field)) return error;
        const char *key = field.key().raw();
        bool escapes;
        const char *end = end_of_key(key, escapes);
        const std::string_view raw(key, static_cast<size_t>(end - key));
        std::string_view plain;
        if (escapes && !unescape(raw, plain)) note(CSJ_BAD_KEY, {key - 1, raw.size() + 2});
        if (const error_code error = check(field.value(), depth + 1)) return error;
    }
    return SUCCESS;
}

void record_reader::check_scalar(std::string_view text, int column) {
    if (is_string(text)) {
        std::string_view plain;
        const std::string_view raw = without_quotes(text);
        if (has_escapes(raw) && !unescape(raw, plain)) note(CSJ_BAD_STRING, text, column);
    } else if (text != "null" && text != "true" && text != "false" && !is_number(text)) {
        note(CSJ_BAD_TOKEN, text, column);
    }
}

void record_reader::convert(ondemand::value &value, uint32_t index) {
    const column &column = plan.columns[index];
    csj_cell &cell = cells[index];
    const int number = static_cast<int>(index);
    const std::string_view text = token(value);
    if (column.type == CSJ_TYPE_TEXT && is_string(text)) return convert_text(without_quotes(text), number);
    if (begins_number(text.front()) && (column.type == CSJ_TYPE_INTEGER || column.type == CSJ_TYPE_REAL)) {
        return convert_number(value, text, number);
    }
    if (text == "null") {
        cell.kind = CSJ_NULL;
        return;
    }
    check_scalar(text, number);
    const bool is_boolean = text == "true" || text == "false";
    if (column.type == CSJ_TYPE_JSON || (column.accepts_numbers && begins_number(text.front()))) {
        set_text(cell, text);
    } else if (column.type == CSJ_TYPE_BOOLEAN && is_boolean) {
        cell.kind = CSJ_INTEGER;
        cell.integer = text == "true";
    } else if (column.type != CSJ_TYPE_TEXT && text == "\"\"" && plan.empty_text_is_null) {
        cell.kind = CSJ_NULL;
    } else {
        set_invalid(cell, CSJ_WRONG_TYPE, text);
        any_invalid = true;
    }
}

void record_reader::convert_text(std::string_view raw, int column) {
    if (!has_escapes(raw)) return set_text(cells[column], raw);
    char *start = page.texts.reserve(raw.size() + simdjson::SIMDJSON_PADDING);
    auto *end = reinterpret_cast<uint8_t *>(start);
    std::string_view text;
    const ondemand::raw_json_string source(reinterpret_cast<const uint8_t *>(raw.data()));
    if (parser.simd.unescape(source, end).get(text)) return note(CSJ_BAD_STRING, {raw.data() - 1, raw.size() + 2}, column);
    page.texts.commit(text.size());
    set_text(cells[column], text);
}

void record_reader::convert_number(ondemand::value &value, std::string_view text, int column) {
    csj_cell &cell = cells[column];
    int reason = CSJ_OUT_OF_RANGE;
    if (plan.columns[column].type == CSJ_TYPE_REAL) {
        cell.kind = CSJ_REAL;
        if (value.get_double().get(cell.real) == SUCCESS) return;
        if (!is_number(text)) return note(CSJ_BAD_TOKEN, text, column);
    } else {
        cell.kind = CSJ_INTEGER;
        if (value.get_int64().get(cell.integer) == SUCCESS) return;
        if (!is_number(text)) return note(CSJ_BAD_TOKEN, text, column);
        const whole outcome = read_whole(text, cell.integer);
        if (outcome == whole::exact) return;
        if (outcome == whole::not_whole) reason = CSJ_NOT_WHOLE;
    }
    set_invalid(cell, reason, text);
    any_invalid = true;
}

bool record_reader::unescape(std::string_view raw, std::string_view &result) {
    const size_t room = raw.size() + simdjson::SIMDJSON_PADDING;
    if (parser.scratch.size() < room) parser.scratch.resize(room * 2);
    uint8_t *end = parser.scratch.data();
    const ondemand::raw_json_string source(reinterpret_cast<const uint8_t *>(raw.data()));
    return parser.simd.unescape(source, end).get(result) == SUCCESS;
}

void record_reader::note(int reason, std::string_view token, int column) {
    if (found.reason == 0) found = {reason, column, token};
}

}  // namespace csj
