#include "plan.hpp"

#include <new>

csj_plan::csj_plan(bool empty_text_is_null) : empty_text_is_null(empty_text_is_null) {
    nodes.resize(2);
    nodes[record_root].id = record_root;
}

void csj::node::set_key(const std::string &text) {
    key = text;
    const size_t length = text.size() + 1;
    if (length > most_words * 8) return;
    for (const char c : text) {
        if (c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20) return;
    }
    word_count = (length + 7) / 8;
    std::memcpy(words, (text + '"').data(), length);
    std::memset(&last_mask, 0xFF, length - (word_count - 1) * 8);
}

csj::node &csj_plan::grow(uint32_t root, const uint8_t *bytes, const size_t *lengths, size_t count) {
    uint32_t current = root;
    for (size_t i = 0; i < count; i++) {
        const std::string key(reinterpret_cast<const char *>(bytes), lengths[i]);
        bytes += lengths[i];
        const size_t found = find(nodes[current], key);
        if (found != none) {
            current = nodes[current].children[found];
            continue;
        }
        csj::node child;
        child.id = static_cast<uint32_t>(nodes.size());
        child.set_key(key);
        nodes.push_back(child);
        nodes[current].children.push_back(child.id);
        rehash(nodes[current]);
        current = child.id;
    }
    return nodes[current];
}

void csj_plan::rehash(csj::node &parent) {
    size_t size = 4;
    while (size < parent.children.size() * 2) size *= 2;
    parent.slots.assign(size, 0);
    for (size_t index = 0; index < parent.children.size(); index++) {
        size_t at = csj::hash(nodes[parent.children[index]].key) & (size - 1);
        while (parent.slots[at] != 0) at = (at + 1) & (size - 1);
        parent.slots[at] = static_cast<uint32_t>(index + 1);
    }
}

csj_plan *csj_plan_create(bool empty_text_is_null) noexcept try {
    return new csj_plan(empty_text_is_null);
} catch (const std::bad_alloc &) {
    return nullptr;
}

void csj_plan_destroy(csj_plan *plan) noexcept { delete plan; }

bool csj_plan_add_column(csj_plan *plan, const uint8_t *bytes, const size_t *lengths, size_t count, int type,
                         int flags) noexcept try {
    const auto index = static_cast<uint32_t>(plan->columns.size());
    plan->grow(csj_plan::record_root, bytes, lengths, count).columns.push_back(index);
    const bool required = (flags & CSJ_REQUIRED) != 0;
    plan->columns.push_back({type, required, (flags & CSJ_ACCEPTS_NUMBERS) != 0});
    plan->has_required = plan->has_required || required;
    return true;
} catch (const std::bad_alloc &) {
    return false;
}

bool csj_plan_set_records(csj_plan *plan, const uint8_t *bytes, const size_t *lengths, size_t count) noexcept try {
    plan->grow(csj_plan::page_root, bytes, lengths, count).is_records = true;
    return true;
} catch (const std::bad_alloc &) {
    return false;
}

bool csj_plan_add_capture(csj_plan *plan, const uint8_t *bytes, const size_t *lengths, size_t count) noexcept try {
    const auto index = static_cast<uint32_t>(plan->capture_count);
    plan->grow(csj_plan::page_root, bytes, lengths, count).captures.push_back(index);
    plan->capture_count++;
    return true;
} catch (const std::bad_alloc &) {
    return false;
}
