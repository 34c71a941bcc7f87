#ifndef CRAWL_BENCH_RECORD_READER_HPP
#define CRAWL_BENCH_RECORD_READER_HPP

#include "Table.hpp"

#include <simdjson.h>

namespace bench {

/// Reads the records of a page straight into the table's statement; every field is walked once.
class RecordReader {
public:
    RecordReader(const Workload &workload, Table &table);

    /// Inserts the records of a page until `wanted` of them changed a row; returns how many did.
    ///
    /// `capacity` bytes from `page` on are readable, at least SIMDJSON_PADDING more than `length`.
    int64_t insert(const char *page, size_t length, size_t capacity, int64_t number, int64_t wanted);

private:
    /// A key of an object: a column, or an object with fields of its own.
    struct Field {
        std::string key;
        size_t column = 0;
        Type type = Type::text;
        std::vector<Field> fields;
    };

    Table &table;
    const size_t columnCount;
    std::vector<Field> fields;
    simdjson::ondemand::parser parser;

    size_t bind(simdjson::ondemand::object object, const std::vector<Field> &expected);
    void bind(simdjson::ondemand::value value, const Field &field);
};

}  // namespace bench

#endif
