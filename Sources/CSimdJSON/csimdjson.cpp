#include "csimdjson.h"
#include <simdjson.h>
extern "C" const char *csj_version(void) { simdjson::ondemand::parser p; (void)p; return "3"; }
