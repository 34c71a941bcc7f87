// libcurl, and the two libraries that decode what it brings: libcurl 7.88 itself takes a gzip or brotli body that was
// cut off for whole.
#ifndef CRAWL_CCURL_SHIM_H
#define CRAWL_CCURL_SHIM_H

#include <brotli/decode.h>
#include <curl/curl.h>
#include <zlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Swift calls no variadic functions and no function-like macros.

static inline CURLcode crawl_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crawl_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crawl_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crawl_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

typedef size_t (*crawl_curl_receive)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode crawl_curl_set_receive(CURL *easy, CURLoption option, crawl_curl_receive value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode crawl_curl_set_before_request(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

static inline CURLcode crawl_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode crawl_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode crawl_curl_get_text(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode crawl_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode crawl_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode crawl_curl_share_tls_sessions(CURLSH *share) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
}

static inline CURLcode crawl_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}

static inline int crawl_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

// The system's own headers of memory are in no module.
static inline void crawl_return_large_blocks(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
    mallopt(M_TRIM_THRESHOLD, 4 << 20);
#endif
}

#endif
