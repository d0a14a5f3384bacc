/* What the host offers to a module. Handed to the module's `init`; valid until its `deinit` returns. */
#ifndef CLOUDAI_ABI_HOST_H
#define CLOUDAI_ABI_HOST_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of `log`. */
enum { CLOUDAI_LOG_DEBUG = 0, CLOUDAI_LOG_INFO = 1, CLOUDAI_LOG_WARNING = 2, CLOUDAI_LOG_ERROR = 3 };

typedef struct cloudai_host {
  uint32_t struct_size; /* of the host's struct: a member beyond it does not exist */
  uint32_t abi_minor;   /* the host's CLOUDAI_ABI_MINOR */
  void* context;        /* passed back as the first argument of every function below */

  /* [any] Writes one message to the host's log, which adds the module's name and the time. Several lines are allowed.
   * A module never writes to stdout or stderr itself. */
  void (*log)(void* context, int32_t level, cloudai_str message);

  /* [any] 1 once the host wants every running call to end, else 0. A call that may block asks at least once a second
   * and then returns CLOUDAI_CANCELLED. */
  int32_t (*is_cancelled)(void* context);

  /* [any] The host interface of this id (a pointer to its struct, e.g. cloudai_host_process_v1 for
   * "cloudai.host.process/1"), or null if this host has none. Valid as long as the host. */
  const void* (*get_interface)(void* context, cloudai_str id);
} cloudai_host;

#ifdef __cplusplus
}
#endif

#endif
