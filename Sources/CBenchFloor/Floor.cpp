#include "Lanes.hpp"
#include "RecordReader.hpp"

#include <cstdio>
#include <stdexcept>

namespace bench {

static const int64_t pagesPerTransaction = 10;

static void crawl(const bench_floor_plan &plan) {
    const Workload &source = workload(plan.source);
    Table table(plan.database, source);
    RecordReader reader(source, table);
    Lanes lanes(plan, source);
    Body page;
    // A server that repeats itself must not keep the benchmark for ever.
    const int64_t mostPages = 2 * (plan.count / plan.page_size) + 100;
    int64_t stored = 0;
    table.begin();
    for (int64_t number = 1; stored < plan.count; number++) {
        if (number > mostPages) throw std::runtime_error("the server hands out too few distinct records");
        lanes.next(page);
        stored += reader.insert(page.bytes, page.length, page.capacity, number, plan.count - stored);
        if (number % pagesPerTransaction == 0) {
            table.commit();
            table.begin();
        }
    }
    table.commit();
}

}  // namespace bench

int bench_floor_run(const bench_floor_plan *plan, char *message, size_t capacity) {
    try {
        // Nobody asks for SQLite's memory figures, and counting them takes a mutex for every allocation.
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
        curl_global_init(CURL_GLOBAL_DEFAULT);
        bench::crawl(*plan);
        return 0;
    } catch (const std::exception &error) {
        snprintf(message, capacity, "%s", error.what());
        return 1;
    }
}
