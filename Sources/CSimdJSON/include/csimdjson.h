/// simdjson On-Demand behind a C interface: a page of records becomes rows of cells.
///
/// Nothing here throws, and nothing is shared: a plan never changes once it is made and may be used by many threads at
/// once; a parser and a page belong to one thread at a time.
#ifndef CRAWL_CSIMDJSON_H
#define CRAWL_CSIMDJSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define CSJ_NOEXCEPT noexcept
extern "C" {
#else
#define CSJ_NOEXCEPT
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

/// Bytes that somebody else owns; `bytes` is NULL where there is nothing.
typedef struct {
    const char *bytes;
    size_t length;
} csj_slice;

/// The type of a column.
enum {
    CSJ_TYPE_TEXT = 0,
    CSJ_TYPE_INTEGER = 1,
    CSJ_TYPE_REAL = 2,
    CSJ_TYPE_BOOLEAN = 3,
    CSJ_TYPE_JSON = 4,
};

/// What a column asks for beside its type.
enum {
    CSJ_REQUIRED = 1,
    CSJ_ACCEPTS_NUMBERS = 2,
};

/// How reading ends.
enum {
    CSJ_OK = 0,
    CSJ_EMPTY = 1,
    CSJ_NOT_JSON = 2,
    CSJ_INVALID_UTF8 = 3,
    CSJ_TOO_DEEP = 4,
    CSJ_NO_RECORDS = 5,
    CSJ_TOO_LARGE = 6,
    CSJ_NO_MEMORY = 7,
    /// More rows or rejects than one read may make; the page is to be read in pieces.
    CSJ_TOO_MANY = 8,
    /// A record, or what stands around the records, is larger than a single value may be.
    CSJ_VALUE_TOO_LARGE = 9,
};

/// Why a record is rejected.
enum {
    CSJ_NOT_AN_OBJECT = 1,
    CSJ_MISSING = 2,
    CSJ_REQUIRED_NULL = 3,
    CSJ_WRONG_TYPE = 4,
    CSJ_OUT_OF_RANGE = 5,
    CSJ_NOT_WHOLE = 6,
    CSJ_BAD_STRING = 7,
    CSJ_BAD_KEY = 8,
    CSJ_BAD_TOKEN = 9,
};

/// A record that the plan does not allow. The slices lie in the body.
typedef struct {
    /// The place in the page, from 1.
    size_t position;
    /// The column that is to blame, -1 for a field that no column names or for the whole record.
    int32_t column;
    int32_t reason;
    /// The record as it was sent.
    csj_slice record;
    /// The value, or the key, that is to blame.
    csj_slice token;
} csj_reject;

/// What was read; valid as long as the page and the body.
typedef struct {
    /// Never NULL, also where there are no rows.
    const csj_cell *cells;
    size_t row_count;
    const csj_reject *rejects;
    size_t reject_count;
    /// One a captured path, in the order in which the plan got them.
    const csj_slice *captures;
} csj_view;

/// The shape that records must have, compiled into a tree of keys.
typedef struct csj_plan csj_plan;
/// The working memory of a read; reusable.
typedef struct csj_parser csj_parser;
/// The result of a read and what its cells point to; reusable.
typedef struct csj_page csj_page;

/// Each of these returns NULL or false where memory runs out. A path is given as its keys one after the other in
/// `bytes`, `count` of them, with their `lengths`.
csj_plan *csj_plan_create(bool empty_text_is_null) CSJ_NOEXCEPT;
void csj_plan_destroy(csj_plan *plan) CSJ_NOEXCEPT;
bool csj_plan_add_column(csj_plan *plan, const uint8_t *bytes, const size_t *lengths, size_t count, int type, int flags)
    CSJ_NOEXCEPT;
bool csj_plan_set_records(csj_plan *plan, const uint8_t *bytes, const size_t *lengths, size_t count) CSJ_NOEXCEPT;
bool csj_plan_add_capture(csj_plan *plan, const uint8_t *bytes, const size_t *lengths, size_t count) CSJ_NOEXCEPT;

csj_parser *csj_parser_create(void) CSJ_NOEXCEPT;
void csj_parser_destroy(csj_parser *parser) CSJ_NOEXCEPT;
/// Bytes that the parser holds on to.
size_t csj_parser_footprint(const csj_parser *parser) CSJ_NOEXCEPT;

csj_page *csj_page_create(void) CSJ_NOEXCEPT;
void csj_page_destroy(csj_page *page) CSJ_NOEXCEPT;
size_t csj_page_footprint(const csj_page *page) CSJ_NOEXCEPT;
csj_view csj_page_view(const csj_page *page) CSJ_NOEXCEPT;

/// Reads a page of `length` bytes, of which `capacity` are readable; where fewer than 64 lie behind the page, it is
/// copied. Rows may take `most_cells` cells in all, and `most_rejects` records may be rejected. Returns CSJ_OK or why
/// the page as a whole cannot be used.
int csj_read(const csj_plan *plan, csj_parser *parser, const uint8_t *body, size_t length, size_t capacity,
             size_t most_cells, size_t most_rejects, csj_page *page) CSJ_NOEXCEPT;

/// Some records that lie side by side in a page: bytes from `begin` to `end` of the page, without brackets around.
typedef struct {
    size_t begin;
    size_t end;
    size_t count;
} csj_piece;

/// A page cut into pieces.
typedef struct csj_split csj_split;

csj_split *csj_split_create(void) CSJ_NOEXCEPT;
void csj_split_destroy(csj_split *split) CSJ_NOEXCEPT;
/// Finds the list of records in a page with 64 bytes behind it, all zero, and cuts it into pieces. Returns CSJ_OK, also
/// where there is no list, or why the page cannot be used. What lies within the pieces, and around the list, is not
/// checked.
int csj_split_read(csj_split *split, const csj_plan *plan, csj_parser *parser, const uint8_t *body, size_t length)
    CSJ_NOEXCEPT;
const csj_piece *csj_split_pieces(const csj_split *split, size_t *count) CSJ_NOEXCEPT;
/// The list with its brackets, a part of the page; nothing where there is none.
csj_slice csj_split_list(const csj_split *split) CSJ_NOEXCEPT;

/// The largest record, and the most that may stand around the records of a page: in bytes, and in brackets, commas,
/// colons and texts together.
enum {
    CSJ_MOST_VALUE_BYTES = 12 << 20,
    CSJ_MOST_VALUE_TOKENS = 1 << 20,
};

/// What a node of a tree is.
enum {
    CSJ_NODE_NULL = 0,
    CSJ_NODE_FALSE = 1,
    CSJ_NODE_TRUE = 2,
    CSJ_NODE_NUMBER = 3,
    CSJ_NODE_STRING = 4,
    CSJ_NODE_ARRAY = 5,
    CSJ_NODE_OBJECT = 6,
};

/// One value of a JSON text; the nodes of a tree lie in the order of the text, an object's members as key and value.
typedef struct {
    uint32_t kind;
    /// Elements of an array, members of an object.
    uint32_t count;
    /// Where the value begins in the text that was given.
    size_t offset;
    /// A string without its quotes and escapes, a number as it was sent.
    csj_slice text;
} csj_node;

/// The most nodes of a tree, counting keys, to within one object's member.
enum { CSJ_MOST_NODES = 250000 };

/// A JSON text as a list of nodes.
typedef struct csj_tree csj_tree;

csj_tree *csj_tree_create(void) CSJ_NOEXCEPT;
void csj_tree_destroy(csj_tree *tree) CSJ_NOEXCEPT;
/// Reads a whole text; returns CSJ_OK or why it is no JSON.
int csj_tree_read(csj_tree *tree, const uint8_t *text, size_t length) CSJ_NOEXCEPT;
const csj_node *csj_tree_nodes(const csj_tree *tree, size_t *count) CSJ_NOEXCEPT;

/// The deepest nesting that is read.
enum { CSJ_MAX_DEPTH = 256 };

#ifdef __cplusplus
}
#endif

#endif
