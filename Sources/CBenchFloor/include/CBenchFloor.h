/// The floor of the benchmarks: the thinnest loop over libcurl, simdjson and SQLite that does the same work.
///
/// No ledger, no events, no retries, no rejects: what remains is what the libraries themselves cost. A crawl is judged
/// by the ratio to it.
#ifndef CRAWL_CBENCHFLOOR_H
#define CRAWL_CBENCHFLOOR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What is crawled.
typedef enum {
    /// Random people, asked for again and again; the first record of a key stays.
    BENCH_FLOOR_USERS = 0,
    /// Numbered pages of posts; a record that is stored already takes the new values.
    BENCH_FLOOR_POSTS = 1,
} bench_floor_source;

/// One run of the floor.
typedef struct {
    bench_floor_source source;
    /// The address without a query.
    const char *url;
    /// The database file; it must not exist yet.
    const char *database;
    /// Rows that are to be stored.
    int64_t count;
    /// Requests under way at once.
    int32_t lanes;
    /// Records asked for by a request.
    int32_t page_size;
} bench_floor_plan;

/// Stores exactly `count` rows and returns 0; else 1, with the reason in `message` (terminated, cut to `capacity`).
int bench_floor_run(const bench_floor_plan *plan, char *message, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
