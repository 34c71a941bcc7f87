#ifndef CRAWL_BENCH_TABLE_HPP
#define CRAWL_BENCH_TABLE_HPP

#include "Workload.hpp"

#include <sqlite3.h>

#include <string_view>

namespace bench {

/// The table of a workload in a fresh database, with the same pragmas and the same schema as the product's.
class Table {
public:
    Table(const char *file, const Workload &workload);
    ~Table();
    Table(const Table &) = delete;
    Table &operator=(const Table &) = delete;

    void begin() { run("BEGIN IMMEDIATE"); }
    void commit() { run("COMMIT"); }

    /// Columns count from 0; a text must stay in place until `insert` returns.
    void bind(size_t column, int64_t value) { sqlite3_bind_int64(insertion, int(column) + 1, value); }
    void bind(size_t column, double value) { sqlite3_bind_double(insertion, int(column) + 1, value); }
    void bind(size_t column, std::string_view value) {
        sqlite3_bind_text(insertion, int(column) + 1, value.data(), int(value.size()), SQLITE_STATIC);
    }
    void bindNull(size_t column) { sqlite3_bind_null(insertion, int(column) + 1); }

    /// Inserts the bound record; tells whether it changed a row.
    bool insert();

private:
    sqlite3 *database = nullptr;
    sqlite3_stmt *insertion = nullptr;

    void run(const char *sql);
    [[noreturn]] void fail(const char *what);
};

}  // namespace bench

#endif
