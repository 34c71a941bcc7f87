#ifndef CRAWL_BENCH_WORKLOAD_HPP
#define CRAWL_BENCH_WORKLOAD_HPP

#include "CBenchFloor.h"

#include <string>
#include <vector>

namespace bench {

enum class Type { integer, real, text };

/// A column and the way to its value in a record, keys joined by dots.
struct Column {
    std::string name;
    std::string path;
    Type type;
};

/// What is crawled and where it goes.
struct Workload {
    std::string table;
    std::string key;
    bool updates;
    std::string sizeParameter;
    /// Empty where the same address is asked for again and again.
    std::string pageParameter;
    std::vector<Column> columns;
};

const Workload &workload(bench_floor_source source);

}  // namespace bench

#endif
