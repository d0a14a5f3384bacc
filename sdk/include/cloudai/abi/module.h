/* The one symbol a module exports.
 *
 *   extern const cloudai_module_entry cloudai_module_entry_v0;
 *
 * It is data, so that the host checks sizes and versions before it calls anything. The manifest also lies in the ELF
 * note section `.note.cloudai` (owner CLOUDAI_NOTE_OWNER, type CLOUDAI_NOTE_MANIFEST, descriptor: the JSON text), from
 * where it is read without running a line of the module; the two are the same bytes.
 */
#ifndef CLOUDAI_ABI_MODULE_H
#define CLOUDAI_ABI_MODULE_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CLOUDAI_NOTE_OWNER "CloudAI"
#define CLOUDAI_NOTE_MANIFEST 1u
#define CLOUDAI_MODULE_ENTRY_SYMBOL "cloudai_module_entry_v0"

typedef struct cloudai_module_entry {
  uint32_t struct_size;
  uint16_t abi_major;          /* CLOUDAI_ABI_MAJOR the module was built with */
  uint16_t abi_minor_required; /* the least minor of the host the module can live with */
  cloudai_str manifest;        /* JSON, schema cloudai.manifest/1 */

  /* [main] Called once, before any other call. `host` stays valid until `deinit` returns. On a status other than
   * CLOUDAI_OK an error document goes to `reply` and the module is not used. */
  cloudai_status (*init)(const cloudai_host* host, const cloudai_sink* reply);

  /* [main] Called once at the end, after every instance was closed. The module is never unmapped. */
  void (*deinit)(void);

  /* [main] The vtable of an interface the manifest names ("cloudai.workload/1": a pointer to cloudai_workload_v1), or
   * null for any other id. Static storage. */
  const void* (*get_interface)(cloudai_str id);
} cloudai_module_entry;

#ifdef __cplusplus
}
#endif

#endif
