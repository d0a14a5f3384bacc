/* Interface "cloudai.scheduler/1": knows one kind of system. Turns jobs into files and submissions, and watches them.
 *
 * One instance for each system file. All calls on an instance come one after the other, not always from the same
 * thread.
 */
#ifndef CLOUDAI_ABI_SCHEDULER_H
#define CLOUDAI_ABI_SCHEDULER_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLOUDAI_SCHEDULER_V1 "cloudai.scheduler/1"

typedef struct cloudai_scheduler_v1 {
  uint32_t struct_size;

  /* [main] cloudai.scheduler.open/1 → cloudai.facts/1. Stores the new instance in `*instance` if and only if it returns
   * CLOUDAI_OK. With "offline": true it runs no command and answers from the system's settings alone. */
  cloudai_status (*open)(cloudai_str request, const cloudai_sink* reply, void** instance);

  /* [instance] {item, action: "check" | "install" | "remove"} → {"installed": bool, "path"?: text, "message"?: text}.
   */
  cloudai_call provision;

  /* [instance] {nodes: request, taken: [name]} → {"nodes": [name]} or {"wait": reason}. An impossible request is
   * CLOUDAI_INVALID_CONFIG. */
  cloudai_call allocate;

  /* [instance] cloudai.job/1 → cloudai.rendering/1. Pure: the same job on the same facts gives the same bytes. Writes
   * nothing; the core writes the files. */
  cloudai_call render;

  /* [instance] {tag, directory, submission} → {"id": text, "watch": [path]}, or {"wait": reason}: the same request
   * comes again later. `submission` is what render returned. Returns when the job is accepted, not when it ends. A
   * watched path changes when the job ends: its appearance makes the core poll at once. */
  cloudai_call submit;

  /* [instance] {ids} → cloudai.states/1, one entry an id. With "poll_after" it is asked again that soon. The number of
   * commands it runs does not grow with the number of ids. A query that fails is CLOUDAI_UNAVAILABLE, never a job's
   * state. */
  cloudai_call poll;

  /* [instance] {ids, stage?: "main"} → {"not_cancelled": [{id, message}]}. Asks for the end of the jobs and waits a
   * bounded time. With `stage`, which only a scheduler with the capability "end_main" is asked for, it ends the main
   * stage of the jobs alone: their epilogues still run, and a main stage that has not started never does. */
  cloudai_call cancel;

  /* [instance] {id} → cloudai.job_result/1: the final word on an ended job, with every stage. */
  cloudai_call collect;

  /* [instance] {tag, directory} → {"id"?: text}: the job that carries this tag, if there is one. */
  cloudai_call find;

  /* [main] Ends the instance. Jobs go on. */
  void (*close)(void* instance);
} cloudai_scheduler_v1;

#ifdef __cplusplus
}
#endif

#endif
