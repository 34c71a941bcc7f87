#ifndef CRAWL_BENCH_LANES_HPP
#define CRAWL_BENCH_LANES_HPP

#include "Workload.hpp"

#include <curl/curl.h>

#include <cstdlib>

namespace bench {

/// Bytes of a page, with room behind them for the parser; keeps its memory from page to page.
struct Body {
    char *bytes = nullptr;
    size_t length = 0;
    size_t capacity = 0;

    Body() = default;
    ~Body() { free(bytes); }
    Body(const Body &) = delete;
    Body &operator=(const Body &) = delete;
    void swap(Body &other);
};

/// Requests under way at once, on connections that are kept.
class Lanes {
public:
    Lanes(const bench_floor_plan &plan, const Workload &workload);
    ~Lanes();
    Lanes(const Lanes &) = delete;
    Lanes &operator=(const Lanes &) = delete;

    /// Waits for the next page, sends the next request on its lane and gives the page to `page`.
    void next(Body &page);

private:
    struct Lane {
        CURL *easy = nullptr;
        Body body;
    };

    const std::string address;
    const bool numbersPages;
    int64_t requested = 0;
    CURLM *multi;
    std::vector<Lane> lanes;

    void request(Lane &lane);
    static size_t receive(char *bytes, size_t size, size_t count, void *lane);
};

}  // namespace bench

#endif
