/// SQLite's C interface and what Swift cannot reach in it: variadic functions and macros that are casts.
/// https://www.sqlite.org/c3ref/intro.html
#ifndef CRAWL_CSQLITE_SHIM_H
#define CRAWL_CSQLITE_SHIM_H

#include <sqlite3.h>

/// Sets one of the options of sqlite3_db_config() that are on or off.
static inline int crawl_sqlite_configure(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

/// Keeps SQLite from counting the memory that it uses; refused once SQLite is in use.
static inline int crawl_sqlite_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/// Binds text that SQLite copies, so that it may go away at once.
static inline int crawl_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 length) {
    return sqlite3_bind_text64(statement, index, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds bytes that SQLite copies, so that they may go away at once.
static inline int crawl_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 length) {
    return sqlite3_bind_blob64(statement, index, bytes, length, SQLITE_TRANSIENT);
}

#endif
