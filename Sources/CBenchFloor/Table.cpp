#include "Table.hpp"

#include <stdexcept>

namespace bench {

static std::string creation(const Workload &workload) {
    static const char *types[] = {"INTEGER", "REAL", "TEXT"};
    std::string sql = "CREATE TABLE " + workload.table + " (";
    for (const Column &column : workload.columns) {
        sql += "\"" + column.name + "\" " + types[int(column.type)];
        if (column.name == workload.key) sql += " NOT NULL PRIMARY KEY";
        sql += ", ";
    }
    return sql + "\"extra\" TEXT, \"page\" INTEGER NOT NULL) STRICT";
}

static std::string insertionText(const Workload &workload) {
    std::string names, places, updates;
    for (const Column &column : workload.columns) {
        names += "\"" + column.name + "\", ";
        places += "?, ";
        if (column.name != workload.key) updates += "\"" + column.name + "\" = excluded.\"" + column.name + "\", ";
    }
    std::string sql = "INSERT INTO " + workload.table + " (" + names + "\"extra\", \"page\") VALUES (" + places
        + "?, ?) ON CONFLICT (\"" + workload.key + "\") DO ";
    if (!workload.updates) return sql + "NOTHING";
    return sql + "UPDATE SET " + updates + "\"extra\" = excluded.\"extra\", \"page\" = excluded.\"page\"";
}

Table::Table(const char *file, const Workload &workload) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(file, &database, flags, nullptr) != SQLITE_OK) fail("cannot open the database");
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("PRAGMA wal_autocheckpoint = 4000");
    run("PRAGMA cache_size = -8192");
    run(creation(workload).c_str());
    const std::string sql = insertionText(workload);
    if (sqlite3_prepare_v3(database, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &insertion, nullptr) != SQLITE_OK) {
        fail("cannot prepare the insertion");
    }
}

Table::~Table() {
    sqlite3_finalize(insertion);
    sqlite3_close(database);
}

bool Table::insert() {
    const sqlite3_int64 before = sqlite3_total_changes64(database);
    if (sqlite3_step(insertion) != SQLITE_DONE) fail("cannot insert");
    sqlite3_reset(insertion);
    return sqlite3_total_changes64(database) != before;
}

void Table::run(const char *sql) {
    if (sqlite3_exec(database, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

void Table::fail(const char *what) {
    throw std::runtime_error(std::string(what) + ": " + sqlite3_errmsg(database));
}

}  // namespace bench
