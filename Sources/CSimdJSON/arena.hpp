/// Memory for many small texts that live and die together.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace csj {

/// Hands out bytes from chunks, and starts again without giving the first chunk back.
class arena {
public:
    /// Room for `size` bytes, valid until `clear`.
    char *reserve(size_t size) {
        if (size > left) {
            const size_t chunk = size > chunk_size ? size : chunk_size;
            chunks.emplace_back(new char[chunk]);
            held += chunk;
            next = chunks.back().get();
            left = chunk;
        }
        return next;
    }

    /// Keeps the first `size` bytes of the last reservation.
    void commit(size_t size) {
        next += size;
        left -= size;
    }

    std::string_view copy(std::string_view text) {
        char *bytes = reserve(text.size());
        std::memcpy(bytes, text.data(), text.size());
        commit(text.size());
        return {bytes, text.size()};
    }

    void clear() {
        if (chunks.size() > 1 || held > chunk_size) {
            chunks.clear();
            held = 0;
            next = nullptr;
            left = 0;
        } else if (!chunks.empty()) {
            next = chunks.front().get();
            left = held;
        }
    }

    size_t footprint() const { return held; }

private:
    static constexpr size_t chunk_size = 64 * 1024;
    std::vector<std::unique_ptr<char[]>> chunks;
    char *next = nullptr;
    size_t left = 0;
    size_t held = 0;
};

}  // namespace csj
