#include "RecordReader.hpp"

#include <algorithm>
#include <stdexcept>

namespace bench {

RecordReader::RecordReader(const Workload &workload, Table &table)
    : table(table), columnCount(workload.columns.size()) {
    for (size_t column = 0; column < columnCount; column++) {
        std::vector<Field> *level = &fields;
        std::string path = workload.columns[column].path;
        for (size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.')) {
            const std::string key = path.substr(0, dot);
            path.erase(0, dot + 1);
            auto known = std::find_if(level->begin(), level->end(), [&](const Field &field) { return field.key == key; });
            if (known == level->end()) known = level->insert(level->end(), Field{key, 0, Type::text, {}});
            level = &known->fields;
        }
        level->push_back(Field{path, column, workload.columns[column].type, {}});
    }
}

int64_t RecordReader::insert(const char *page, size_t length, size_t capacity, int64_t number, int64_t wanted) {
    int64_t changed = 0;
    simdjson::ondemand::document document = parser.iterate(page, length, capacity);
    for (simdjson::ondemand::object record : document.get_array()) {
        if (changed == wanted) break;
        if (bind(record, fields) != columnCount) throw std::runtime_error("a record lacks a field");
        table.bindNull(columnCount);
        table.bind(columnCount + 1, number);
        if (table.insert()) changed++;
    }
    return changed;
}

size_t RecordReader::bind(simdjson::ondemand::object object, const std::vector<Field> &expected) {
    size_t bound = 0;
    size_t next = 0;
    for (auto entry : object) {
        simdjson::ondemand::raw_json_string key = entry.key();
        // Servers keep the order of their fields, so that the next one expected is nearly always the one at hand.
        if (next == expected.size() || !(key == std::string_view(expected[next].key))) {
            next = 0;
            while (next < expected.size() && !(key == std::string_view(expected[next].key))) next++;
            if (next == expected.size()) throw std::runtime_error("a record has a field that no column names");
        }
        const Field &field = expected[next++];
        if (field.fields.empty()) {
            bind(entry.value(), field);
            bound++;
        } else {
            bound += bind(entry.value().get_object(), field.fields);
        }
    }
    return bound;
}

void RecordReader::bind(simdjson::ondemand::value value, const Field &field) {
    if (value.is_null()) {
        table.bindNull(field.column);
        return;
    }
    switch (field.type) {
    case Type::integer: table.bind(field.column, int64_t(value.get_int64())); break;
    case Type::real: table.bind(field.column, double(value.get_double())); break;
    case Type::text: table.bind(field.column, std::string_view(value.get_string())); break;
    }
}

}  // namespace bench
