/* Host interface "cloudai.host.process/1": runs commands for a module, so that cancellation, time limits, descriptors
 * and process groups are handled in one place and a test can put a recorded cluster in the place of real commands.
 *
 * Requests and replies are JSON documents, as everywhere. `context` is the host's context (cloudai_host.context).
 */
#ifndef CLOUDAI_ABI_HOST_PROCESS_H
#define CLOUDAI_ABI_HOST_PROCESS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLOUDAI_HOST_PROCESS_V1 "cloudai.host.process/1"

typedef struct cloudai_host_process_v1 {
  uint32_t struct_size;

  /* [any] Runs a command to its end.
   * {argv: [text], stdin?: text, environment?: {name: text}, unset?: [name], directory?: path,
   *  timeout?: seconds (default 60)}
   *   → {"exit_status"?: int, "signal"?: int, "stdout": text, "stderr": text, "timed_out": bool, "seconds": number}.
   * `environment` is added to the host's, less what `unset` names. argv[0] without a slash is looked up in PATH; a
   * command that cannot be started is CLOUDAI_FAILED with a message that names it. On a time-out or cancellation the
   * whole process group is killed. Bytes of the output that are no UTF-8 arrive as U+FFFD. */
  cloudai_call run;

  /* [any] Starts a process that outlives the host, in a session of its own, with no descriptor of the host.
   * {argv, environment?, unset?, directory?, stdout?: path, stderr?: path, mark?: text} → {"pid": int, "start_time":
   * text}. The pair identifies the process also after its pid was used again; `start_time` is "<field 22 of
   * /proc/<pid>/stat>-<first 8 characters of the boot id>", so that a process can write down its own. stdout and stderr
   * default to /dev/null and are truncated. `mark` becomes the value of CLOUDAI_PROCESS_MARK in the process's
   * environment, by which `terminate` finds its descendants in whatever session; a process may append "/" and more to
   * it for the descendants of a part of its work. */
  cloudai_call spawn_detached;

  /* [any] {processes: [{pid, start_time}]}
   *   → {"processes": [{"alive": bool, "exit_status"?: int, "signal"?: int}]}, in the same order.
   * Whether the started process itself still runs; a zombie has ended. How it ended is known only to the host that
   * started it. */
  cloudai_call inspect;

  /* [any] {processes: [{pid, start_time, mark?, marked_only?: bool}], grace: seconds}
   *   → {"processes": [{"ended": bool, "signalled": int, "message"?: text}]}: how many processes were sent a signal.
   * Sends SIGTERM to every process of the sessions that spawn_detached made, then, to what is left after `grace`,
   * SIGKILL. With a `mark`, every process of this user belongs to the session whose CLOUDAI_PROCESS_MARK is the mark,
   * or begins with it and "/"; with `marked_only` these alone. Returns when all have ended, at the latest two seconds
   * after `grace`. A pid that was used again, 0, 1, a negative number or the host's own session is never signalled. */
  cloudai_call terminate;
} cloudai_host_process_v1;

#ifdef __cplusplus
}
#endif

#endif
