#ifndef CRAWL_CCURL_SHIM_H
#define CRAWL_CCURL_SHIM_H

#include <curl/curl.h>

#endif
