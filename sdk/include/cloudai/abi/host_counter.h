/* Host interface "cloudai.host.counter/1": a module that talks to an outside service by itself, not through commands of
 * "cloudai.host.process/1", tells each request, so that the summary can say what a scenario cost the service.
 *
 * `context` is the host's context (cloudai_host.context).
 */
#ifndef CLOUDAI_ABI_HOST_COUNTER_H
#define CLOUDAI_ABI_HOST_COUNTER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLOUDAI_HOST_COUNTER_V1 "cloudai.host.counter/1"

typedef struct cloudai_host_counter_v1 {
  uint32_t struct_size;

  /* [any] Notes one request that the module itself made to an outside service, attempts that failed and repetitions
   * included. `what` is the short name of its kind, the same for all of the kind: "POST workloads/trainings", without
   * ids or queries. Counted beside the commands, under that name. */
  void (*count)(void* context, cloudai_str what);
} cloudai_host_counter_v1;

#ifdef __cplusplus
}
#endif

#endif
