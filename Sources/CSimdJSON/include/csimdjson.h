#pragma once
#ifdef __cplusplus
extern "C" {
#endif
const char *csj_version(void);
#ifdef __cplusplus
}
#endif
