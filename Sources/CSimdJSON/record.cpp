#include "record.hpp"

namespace csj {

record_reader::record_reader(const csj_plan &plan, csj_parser &parser, csj_page &page, const char *body_end,
                             read_limits limits)
    : plan(plan), parser(parser), page(page), body_end(body_end), limits(limits) {
    parser.seen.assign(plan.nodes.size(), 0);
    parser.record_number = 0;
    for (auto &slot : parser.unnamed) slot.record = 0;
}

error_code record_reader::read(ondemand::value &record, int depth) {
    record_position++;
    clear_problem();
    if (page.rejects.size() == limits.rejects) return simdjson::CAPACITY;
    if (*record.raw_json_token().data() != '{') {
        if (const error_code error = check(record, depth)) return error;
        const std::string_view text = text_of(record);
        reject(text, found.reason ? found.reason : CSJ_NOT_AN_OBJECT, -1, found.reason ? found.token : text);
        return SUCCESS;
    }
    const size_t width = plan.columns.size() + 1;
    if ((page.row_count + 1) * width > limits.cells) return simdjson::CAPACITY;
    if (page.cells.size() < (page.row_count + 1) * width) page.cells.resize((page.row_count * 2 + 8) * width);
    cells = page.cells.data() + page.row_count * width;

    has_duplicates = false;
    ondemand::object object;
    if (const error_code error = record.get_object().get(object)) return error;
    if (const error_code error = walk_record(object, depth)) return error;
    const std::string_view text = text_of(record);
    if (has_duplicates) {
        // Rare, so the record is simply read again, now with the places of the keys that count.
        parser.last.clear();
        if (const error_code error = object.reset().error()) return error;
        if (const error_code error = find_last_keys(object, plan.nodes[csj_plan::record_root])) return error;
        if (const error_code error = object.reset().error()) return error;
        resolves_duplicates = true;
        const error_code error = walk_record(object, depth);
        resolves_duplicates = false;
        if (error) return error;
    }
    finish(text);
    return SUCCESS;
}

error_code record_reader::walk_record(ondemand::object &record, int depth) {
    std::memset(static_cast<void *>(cells), 0, (plan.columns.size() + 1) * sizeof(csj_cell));
    any_invalid = false;
    parser.record_number++;
    parser.unnamed_count = 0;
    parser.extra.clear();
    frame top{nullptr, {}};
    if (const error_code error = walk_object(record, plan.nodes[csj_plan::record_root], top, depth)) return error;
    close(top);
    return SUCCESS;
}

error_code record_reader::walk_object(ondemand::object &object, const node &at, frame &around, int depth) {
    if (depth >= CSJ_MAX_DEPTH) return simdjson::DEPTH_ERROR;
    size_t hint = 0;
    for (auto entry : object) {
        ondemand::field field;
        if (const error_code error = std::move(entry).get(field)) return error;
        const field_name key = name(at, field.key().raw(), hint);
        if (resolves_duplicates && parser.last[full_key(at, key)] != key.raw.data()) {
            if (const error_code error = check(field.value(), depth + 1)) return error;
        } else if (key.child != csj_plan::none) {
            hint = key.child + 1;
            const node &child = plan.nodes[at.children[key.child]];
            has_duplicates = has_duplicates || parser.seen[child.id] == parser.record_number;
            parser.seen[child.id] = parser.record_number;
            if (const error_code error = take(field.value(), child, around, key.raw, depth + 1)) return error;
        } else {
            has_duplicates = parser.note_unnamed(key.hash ^ at.id * 0x9E3779B97F4A7C15ull) || has_duplicates;
            if (const error_code error = check(field.value(), depth + 1)) return error;
            keep(around, key.raw, text_of(field.value()));
        }
    }
    return SUCCESS;
}

error_code record_reader::take(ondemand::value &value, const node &child, frame &around, std::string_view key,
                               int depth) {
    const char first = *value.raw_json_token().data();
    if (first == '{' || first == '[') return take_container(value, child, around, key, depth);
    if (is_structural(first)) return simdjson::TAPE_ERROR;
    const std::string_view text = token(value);
    if (first == '"') step_over_string(value);
    if (child.columns.empty()) {
        check_scalar(text, -1);
        keep(around, key, text);
    }
    for (const uint32_t column : child.columns) convert(value, text, column);
    return SUCCESS;
}

inline void record_reader::convert(ondemand::value &value, std::string_view text, uint32_t index) {
    const int type = plan.columns[index].type;
    const int number = static_cast<int>(index);
    if (type == CSJ_TYPE_TEXT && is_string(text)) {
        const std::string_view raw = without_quotes(text);
        has_escapes(raw) ? convert_escaped(raw, number) : set_text(cells[index], raw);
    } else if (begins_number(text.front()) && (type == CSJ_TYPE_INTEGER || type == CSJ_TYPE_REAL)) {
        convert_number(value, text, number);
    } else {
        convert_other(text, number);
    }
}

error_code record_reader::take_container(ondemand::value &value, const node &child, frame &around,
                                         std::string_view key, int depth) {
    const char *start = value.raw_json_token().data();
    ondemand::object object;
    const bool enters_object = *start == '{' && !child.children.empty();
    if (enters_object) {
        if (const error_code error = value.get_object().get(object)) return error;
    }
    frame inner{&around, key};
    if (enters_object && child.columns.empty()) {
        if (const error_code error = walk_object(object, child, inner, depth)) return error;
        close(inner);
        return SUCCESS;
    }

    // What is left over in an array, or in a value that a column takes whole, cannot be named by itself.
    const bool outer_left_over = left_over;
    left_over = false;
    quiet++;
    error_code error;
    if (child.children.empty()) {
        error = check(value, depth);
    } else if (enters_object) {
        error = walk_object(object, child, inner, depth);
    } else {
        error = walk_array(value, child, depth);
    }
    quiet--;
    if (error) return error;
    const std::string_view text = text_of(value);
    const bool something_left = left_over;
    left_over = outer_left_over;
    if (child.columns.empty() && something_left) keep(around, key, text);
    for (const uint32_t column : child.columns) {
        if (plan.columns[column].type == CSJ_TYPE_JSON) {
            set_text(cells[column], text);
        } else {
            set_invalid(cells[column], CSJ_WRONG_TYPE, text);
            any_invalid = true;
        }
    }
    return SUCCESS;
}

error_code record_reader::walk_array(ondemand::value &value, const node &at, int depth) {
    if (depth >= CSJ_MAX_DEPTH) return simdjson::DEPTH_ERROR;
    ondemand::array array;
    if (const error_code error = value.get_array().get(array)) return error;
    frame inner{nullptr, {}};
    size_t index = 0;
    for (auto entry : array) {
        ondemand::value element;
        if (const error_code error = std::move(entry).get(element)) return error;
        const size_t child = plan.find(at, std::to_string(index++));
        if (child == csj_plan::none) {
            left_over = true;
            if (const error_code error = check(element, depth + 1)) return error;
        } else if (const error_code error = take(element, plan.nodes[at.children[child]], inner, {}, depth + 1)) {
            return error;
        }
    }
    return SUCCESS;
}

void record_reader::finish(std::string_view record) {
    const auto count = static_cast<int>(plan.columns.size());
    if (found.reason) return reject(record, found.reason, found.column, found.token);
    if (any_invalid || plan.has_required) {
        for (int i = 0; i < count; i++) {
            const csj_cell &cell = cells[i];
            if ((cell.kind & 0xFF) == invalid_cell) {
                return reject(record, static_cast<int>(cell.kind >> 8), i, {cell.text, cell.length});
            }
            if (cell.kind <= CSJ_NULL && plan.columns[i].required) {
                return reject(record, cell.kind == CSJ_NULL ? CSJ_REQUIRED_NULL : CSJ_MISSING, i, {});
            }
        }
    }
    if (parser.extra.size() > long_text) {
        page.long_texts.push_back(std::move(parser.extra));
        parser.extra = {};
        set_text(cells[count], page.long_texts.back());
    } else if (!parser.extra.empty()) {
        set_text(cells[count], page.texts.copy(parser.extra));
    }
    page.row_count++;
}

void record_reader::reject(std::string_view record, int reason, int column, std::string_view token) {
    page.rejects.push_back({record_position, column, reason, slice(record), slice(token)});
}

bool record_reader::names_nothing() const {
    for (size_t i = 0; i < plan.columns.size(); i++) {
        if (cells && cells[i].kind != CSJ_ABSENT) return false;
    }
    return true;
}

}  // namespace csj
