#ifndef CRAWL_CSQLITE_SHIM_H
#define CRAWL_CSQLITE_SHIM_H

#include <sqlite3.h>

#endif
