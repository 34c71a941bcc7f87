/// Any JSON text as a list of nodes, for small things: source files, options, error answers.
#include <new>
#include <stdexcept>

#include "arena.hpp"
#include "number.hpp"
#include "simd.hpp"

struct csj_tree {
    csj::ondemand::parser simd;
    std::vector<csj_node> nodes;
    csj::arena texts;
    std::vector<uint8_t> wrapped;

    int read(const uint8_t *text, size_t length);

private:
    csj::error_code add(csj::ondemand::value &value, int depth);
    csj::error_code add_members(csj::ondemand::value &value, size_t index, int depth);
    csj::error_code add_scalar(std::string_view token);
    csj::error_code add_string(std::string_view quoted);
    csj_node &push(uint32_t kind, const char *at) {
        nodes.push_back({kind, 0, static_cast<size_t>(at - reinterpret_cast<const char *>(wrapped.data())) - 1, {}});
        return nodes.back();
    }
};

int csj_tree::read(const uint8_t *text, size_t length) {
    nodes.clear();
    texts.clear();
    if (length >= simdjson::SIMDJSON_MAXSIZE_BYTES - 2) return CSJ_TOO_LARGE;
    if (length > 4 << 20) {
        // Every token takes simdjson four bytes, however small it is.
        size_t tokens = 0;
        for (size_t i = 0; i < length; i++) tokens += std::strchr("{}[]:,", text[i]) != nullptr && text[i] != 0;
        if (tokens > 8 * CSJ_MOST_NODES) return CSJ_VALUE_TOO_LARGE;
    }
    wrapped.reserve(length + 2 + simdjson::SIMDJSON_PADDING);
    // Within brackets, a text that is a single scalar is read like any other value.
    wrapped.assign(1, '[');
    wrapped.insert(wrapped.end(), text, text + length);
    if (length >= 3 && std::memcmp(text, "\xEF\xBB\xBF", 3) == 0) std::memset(wrapped.data() + 1, ' ', 3);
    wrapped.push_back(']');
    const size_t whole = wrapped.size();
    wrapped.resize(whole + simdjson::SIMDJSON_PADDING, ' ');
    csj::ondemand::document document;
    switch (simd.iterate(wrapped.data(), whole, wrapped.size()).get(document)) {
    case simdjson::SUCCESS: break;
    case simdjson::UTF8_ERROR: return CSJ_INVALID_UTF8;
    case simdjson::MEMALLOC: return CSJ_NO_MEMORY;
    default: return CSJ_NOT_JSON;
    }
    csj::ondemand::array array;
    if (document.get_array().get(array)) return CSJ_NOT_JSON;
    size_t count = 0;
    for (auto entry : array) {
        csj::ondemand::value value;
        if (std::move(entry).get(value) || ++count > 1) return CSJ_NOT_JSON;
        if (const csj::error_code error = add(value, 0)) {
            if (error == simdjson::CAPACITY) return CSJ_VALUE_TOO_LARGE;
            return error == simdjson::DEPTH_ERROR ? CSJ_TOO_DEEP : CSJ_NOT_JSON;
        }
    }
    if (document.current_location().error() != simdjson::OUT_OF_BOUNDS) return CSJ_NOT_JSON;
    return count == 0 ? CSJ_EMPTY : CSJ_OK;
}

csj::error_code csj_tree::add(csj::ondemand::value &value, int depth) {
    if (nodes.size() >= CSJ_MOST_NODES) return simdjson::CAPACITY;
    const char first = *value.raw_json_token().data();
    if (csj::is_structural(first)) return simdjson::TAPE_ERROR;
    const std::string_view token = csj::token(value);
    if (first == '"') csj::step_over_string(value);
    if (first != '[' && first != '{') return add_scalar(token);
    if (depth >= CSJ_MAX_DEPTH) return simdjson::DEPTH_ERROR;
    const size_t index = nodes.size();
    push(first == '[' ? CSJ_NODE_ARRAY : CSJ_NODE_OBJECT, token.data());
    if (first == '{') return add_members(value, index, depth);
    csj::ondemand::array array;
    if (const csj::error_code error = value.get_array().get(array)) return error;
    for (auto entry : array) {
        csj::ondemand::value element;
        if (const csj::error_code error = std::move(entry).get(element)) return error;
        if (const csj::error_code error = add(element, depth + 1)) return error;
        nodes[index].count++;
    }
    return csj::SUCCESS;
}

csj::error_code csj_tree::add_members(csj::ondemand::value &value, size_t index, int depth) {
    csj::ondemand::object object;
    if (const csj::error_code error = value.get_object().get(object)) return error;
    for (auto entry : object) {
        csj::ondemand::field field;
        if (const csj::error_code error = std::move(entry).get(field)) return error;
        const char *key = field.key().raw();
        bool escapes;
        const char *end = csj::end_of_key(key, escapes);
        if (const csj::error_code error = add_string({key - 1, static_cast<size_t>(end - key) + 2})) return error;
        if (const csj::error_code error = add(field.value(), depth + 1)) return error;
        nodes[index].count++;
    }
    return csj::SUCCESS;
}

csj::error_code csj_tree::add_scalar(std::string_view token) {
    if (token.front() == '"') return add_string(token);
    if (token == "null" || token == "true" || token == "false") {
        push(token == "null" ? CSJ_NODE_NULL : token == "true" ? CSJ_NODE_TRUE : CSJ_NODE_FALSE, token.data());
        return csj::SUCCESS;
    }
    if (!csj::is_number(token)) return simdjson::NUMBER_ERROR;
    push(CSJ_NODE_NUMBER, token.data()).text = csj::slice(token);
    return csj::SUCCESS;
}

csj::error_code csj_tree::add_string(std::string_view quoted) {
    char *start = texts.reserve(quoted.size() + simdjson::SIMDJSON_PADDING);
    auto *end = reinterpret_cast<uint8_t *>(start);
    std::string_view text;
    const csj::ondemand::raw_json_string source(reinterpret_cast<const uint8_t *>(quoted.data() + 1));
    if (const csj::error_code error = simd.unescape(source, end).get(text)) return error;
    texts.commit(text.size());
    push(CSJ_NODE_STRING, quoted.data()).text = csj::slice(text);
    return csj::SUCCESS;
}

csj_tree *csj_tree_create() noexcept { return new (std::nothrow) csj_tree(); }

void csj_tree_destroy(csj_tree *tree) noexcept { delete tree; }

int csj_tree_read(csj_tree *tree, const uint8_t *text, size_t length) noexcept try {
    return tree->read(text, length);
} catch (const std::bad_alloc &) {
    return CSJ_NO_MEMORY;
} catch (const std::length_error &) {
    return CSJ_TOO_LARGE;
}

const csj_node *csj_tree_nodes(const csj_tree *tree, size_t *count) noexcept {
    *count = tree->nodes.size();
    return tree->nodes.data();
}
