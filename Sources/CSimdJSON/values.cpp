/// Single values: what a column makes of them, and whether they are JSON at all.
#include "number.hpp"
#include "record.hpp"

namespace csj {

error_code record_reader::check(ondemand::value &value, int depth) {
    const char first = *value.raw_json_token().data();
    if (is_structural(first)) return simdjson::TAPE_ERROR;
    if (first != '{' && first != '[') {
        check_scalar(token(value), -1);
        if (first == '"') step_over_string(value);
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

record_reader::field_name record_reader::search(const node &parent, const char *key) {
    bool escapes;
    const char *end = end_of_key(key, escapes);
    const std::string_view raw(key - 1, static_cast<size_t>(end - key) + 2);
    std::string_view plain = without_quotes(raw);
    if (escapes && !unescape(without_quotes(raw), plain)) note(CSJ_BAD_KEY, raw);
    return {raw, plan.find(parent, plain), hash(plain)};
}

void record_reader::convert_other(std::string_view text, int number) {
    const column &column = plan.columns[number];
    csj_cell &cell = cells[number];
    if (text == "null") {
        cell.kind = CSJ_NULL;
        return;
    }
    check_scalar(text, number);
    if (column.type == CSJ_TYPE_JSON || (column.accepts_numbers && begins_number(text.front()))) {
        set_text(cell, text);
    } else if (column.type == CSJ_TYPE_BOOLEAN && (text == "true" || text == "false")) {
        cell.kind = CSJ_INTEGER;
        cell.integer = text == "true";
    } else if (column.type != CSJ_TYPE_TEXT && text == "\"\"" && plan.empty_text_is_null) {
        cell.kind = CSJ_NULL;
    } else {
        set_invalid(cell, CSJ_WRONG_TYPE, text);
        any_invalid = true;
    }
}

void record_reader::convert_escaped(std::string_view raw, int column) {
    char *start = page.texts.reserve(raw.size() + simdjson::SIMDJSON_PADDING);
    auto *end = reinterpret_cast<uint8_t *>(start);
    std::string_view text;
    const ondemand::raw_json_string source(reinterpret_cast<const uint8_t *>(raw.data()));
    if (parser.simd.unescape(source, end).get(text)) {
        return note(CSJ_BAD_STRING, {raw.data() - 1, raw.size() + 2}, column);
    }
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
