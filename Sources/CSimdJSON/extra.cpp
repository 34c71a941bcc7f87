/// What no column names: the `extra` text, and the records that have a key twice.
#include "record.hpp"

namespace csj {

void record_reader::keep(frame &around, std::string_view key, std::string_view value) {
    left_over = true;
    if (quiet > 0) return;
    open(around);
    if (around.has_fields) parser.extra += ',';
    around.has_fields = true;
    parser.extra.append(key).append(1, ':').append(value);
}

void record_reader::open(frame &frame) {
    if (frame.is_open) return;
    frame.is_open = true;
    if (frame.parent) {
        open(*frame.parent);
        if (frame.parent->has_fields) parser.extra += ',';
        frame.parent->has_fields = true;
        parser.extra.append(frame.key).append(1, ':');
    }
    parser.extra += '{';
}

void record_reader::close(frame &frame) {
    if (frame.is_open) parser.extra += '}';
}

error_code record_reader::find_last_keys(ondemand::object &object, const node &at) {
    for (auto entry : object) {
        ondemand::field field;
        if (const error_code error = std::move(entry).get(field)) return error;
        const field_name key = name(at, field.key().raw(), 0);
        parser.last[full_key(at, key)] = key.raw.data();
        if (key.child == csj_plan::none) continue;
        const node &child = plan.nodes[at.children[key.child]];
        if (const error_code error = find_last_keys(field.value(), child)) return error;
    }
    return SUCCESS;
}

error_code record_reader::find_last_keys(ondemand::value &value, const node &at) {
    const char first = *value.raw_json_token().data();
    if (at.children.empty() || (first != '{' && first != '[')) return SUCCESS;
    if (first == '{') {
        ondemand::object object;
        if (const error_code error = value.get_object().get(object)) return error;
        return find_last_keys(object, at);
    }
    ondemand::array array;
    if (const error_code error = value.get_array().get(array)) return error;
    size_t index = 0;
    for (auto entry : array) {
        ondemand::value element;
        if (const error_code error = std::move(entry).get(element)) return error;
        const size_t child = plan.find(at, std::to_string(index++));
        if (child == csj_plan::none) continue;
        if (const error_code error = find_last_keys(element, plan.nodes[at.children[child]])) return error;
    }
    return SUCCESS;
}

std::string record_reader::full_key(const node &parent, const field_name &name) {
    const std::string_view raw = name.raw.substr(1, name.raw.size() - 2);
    std::string key = std::to_string(parent.id) + ':';
    std::string_view plain;
    if (raw.find('\\') == std::string_view::npos || !unescape(raw, plain)) return key.append(raw);
    return key.append(plain);
}

}  // namespace csj

bool csj_parser::note_unnamed(uint64_t hash) {
    if (unnamed_count * 2 >= unnamed.size()) {
        std::vector<slot> larger(unnamed.empty() ? 64 : unnamed.size() * 4);
        larger.swap(unnamed);
        unnamed_count = 0;
        for (const slot &old : larger) {
            if (old.record == record_number) note_unnamed(old.hash);
        }
    }
    const size_t mask = unnamed.size() - 1;
    size_t at = hash & mask;
    for (; unnamed[at].record == record_number; at = (at + 1) & mask) {
        if (unnamed[at].hash == hash) return true;
    }
    unnamed[at] = {record_number, hash};
    unnamed_count++;
    return false;
}
