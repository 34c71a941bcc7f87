/// simdjson On-Demand behind a C interface: a page of records becomes rows of cells.
#ifndef CRAWL_CSIMDJSON_H
#define CRAWL_CSIMDJSON_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a cell holds. A cell that is absent was not in the record at all; one that is null was sent as null.
enum {
    CSJ_ABSENT = 0,
    CSJ_NULL = 1,
    CSJ_INTEGER = 2,
    CSJ_REAL = 3,
    CSJ_TEXT = 4,
};

/// One value of a record, ready to be bound to a statement: 16 bytes.
///
/// `text` holds `length` bytes of UTF-8, may contain NUL, is not terminated, and lives as long as the batch.
typedef struct {
    uint32_t kind;
    uint32_t length;
    union {
        int64_t integer;
        double real;
        const char *text;
    };
} csj_cell;

#ifdef __cplusplus
}
#endif

#endif
