/* Interface "cloudai.workload/1": knows one kind of benchmark. Says what a test needs and runs, and judges what came
 * out.
 *
 * Every function is pure: its reply depends on the request and on the files the request names, nothing else. The
 * request's key "provider" is the provided name (the user's test_template_name), since one module may provide several.
 */
#ifndef CLOUDAI_ABI_WORKLOAD_H
#define CLOUDAI_ABI_WORKLOAD_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLOUDAI_WORKLOAD_V1 "cloudai.workload/1"

typedef struct cloudai_workload_v1 {
  uint32_t struct_size;

  /* [any] cloudai.test/1 → cloudai.requirements/1: what must be on the machine before the test can run. `instance` is
   * null in every call of this interface. */
  cloudai_call requirements;

  /* [any] cloudai.run/1 → cloudai.plan/1: what to execute, free of any scheduler. CLOUDAI_INVALID_CONFIG refuses the
   * test with a message for its author. */
  cloudai_call plan;

  /* [any] cloudai.stage/1 → cloudai.outcome/1: verdict, metrics and tables of a stage that ended. Missing, empty, cut
   * or garbled output is an outcome (failed), never an error of the call. */
  cloudai_call evaluate;
} cloudai_workload_v1;

#ifdef __cplusplus
}
#endif

#endif
