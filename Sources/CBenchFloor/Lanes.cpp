#include "Lanes.hpp"

#include <simdjson.h>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace bench {

void Body::swap(Body &other) {
    std::swap(bytes, other.bytes);
    std::swap(length, other.length);
    std::swap(capacity, other.capacity);
}

static std::string query(const bench_floor_plan &plan, const Workload &workload) {
    std::string address = std::string(plan.url) + "?" + workload.sizeParameter + "=" + std::to_string(plan.page_size);
    if (!workload.pageParameter.empty()) address += "&" + workload.pageParameter + "=";
    return address;
}

Lanes::Lanes(const bench_floor_plan &plan, const Workload &workload)
    : address(query(plan, workload)), numbersPages(!workload.pageParameter.empty()), multi(curl_multi_init()),
      lanes(size_t(plan.lanes)) {
    for (Lane &lane : lanes) {
        lane.easy = curl_easy_init();
        curl_easy_setopt(lane.easy, CURLOPT_URL, address.c_str());
        curl_easy_setopt(lane.easy, CURLOPT_PRIVATE, &lane);
        curl_easy_setopt(lane.easy, CURLOPT_WRITEFUNCTION, receive);
        curl_easy_setopt(lane.easy, CURLOPT_WRITEDATA, &lane);
        curl_easy_setopt(lane.easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(lane.easy, CURLOPT_BUFFERSIZE, 131072L);
        curl_easy_setopt(lane.easy, CURLOPT_FAILONERROR, 1L);
        curl_easy_setopt(lane.easy, CURLOPT_TIMEOUT, 30L);
        request(lane);
    }
}

Lanes::~Lanes() {
    for (Lane &lane : lanes) {
        curl_multi_remove_handle(multi, lane.easy);
        curl_easy_cleanup(lane.easy);
    }
    curl_multi_cleanup(multi);
}

void Lanes::next(Body &page) {
    for (;;) {
        int running = 0;
        curl_multi_perform(multi, &running);
        int waiting = 0;
        CURLMsg *message = curl_multi_info_read(multi, &waiting);
        if (message == nullptr) {
            curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
            continue;
        }
        if (message->data.result != CURLE_OK) throw std::runtime_error(curl_easy_strerror(message->data.result));
        Lane *lane = nullptr;
        curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &lane);
        page.swap(lane->body);
        curl_multi_remove_handle(multi, lane->easy);
        request(*lane);
        curl_multi_perform(multi, &running);
        return;
    }
}

void Lanes::request(Lane &lane) {
    lane.body.length = 0;
    requested++;
    if (numbersPages) curl_easy_setopt(lane.easy, CURLOPT_URL, (address + std::to_string(requested)).c_str());
    curl_multi_add_handle(multi, lane.easy);
}

size_t Lanes::receive(char *bytes, size_t size, size_t count, void *context) {
    Body &body = static_cast<Lane *>(context)->body;
    const size_t added = size * count;
    const size_t needed = body.length + added + simdjson::SIMDJSON_PADDING;
    if (needed > body.capacity) {
        const size_t capacity = needed * 2;
        char *larger = static_cast<char *>(realloc(body.bytes, capacity));
        if (larger == nullptr) return 0;
        body.bytes = larger;
        body.capacity = capacity;
    }
    memcpy(body.bytes + body.length, bytes, added);
    body.length += added;
    return added;
}

}  // namespace bench
