/* Interface "cloudai.reporter/1": writes results down in one format. */
#ifndef CLOUDAI_ABI_REPORTER_H
#define CLOUDAI_ABI_REPORTER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLOUDAI_REPORTER_V1 "cloudai.reporter/1"

typedef struct cloudai_reporter_v1 {
  uint32_t struct_size;

  /* [any] cloudai.report_request/1 → {"files": [path relative to the request's directory]}. Reads summary.json and the
   * outcome.json files it names from the results directories of the request; writes only inside the request's
   * directory. `instance` is null. */
  cloudai_call write;
} cloudai_reporter_v1;

#ifdef __cplusplus
}
#endif

#endif
