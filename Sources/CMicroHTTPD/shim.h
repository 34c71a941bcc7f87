#ifndef CRAWL_CMICROHTTPD_SHIM_H
#define CRAWL_CMICROHTTPD_SHIM_H

#include <microhttpd.h>

#endif
