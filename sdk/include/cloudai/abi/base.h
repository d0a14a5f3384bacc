/* The types every other header of the module boundary is made of.
 *
 * The boundary is C99: no C++ type, exception, allocator or vtable crosses it. What crosses is UTF-8 text, most of it
 * JSON documents whose schemas are in sdk/schemas/. Nobody frees what the other side allocated: text goes in borrowed
 * (cloudai_str) and comes out through a callback (cloudai_sink).
 */
#ifndef CLOUDAI_ABI_BASE_H
#define CLOUDAI_ABI_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the boundary. A module is loaded if its major equals the host's and the minor it requires is not above
 * the host's. Structs grow only at their end; an interface whose meaning changes gets a new id. Major 0 may still
 * change between releases. */
#define CLOUDAI_ABI_MAJOR 0
#define CLOUDAI_ABI_MINOR 0

/* Borrowed UTF-8 text of `size` bytes, not terminated. Valid until the call it was passed to returns. `data` may be
 * null if and only if `size` is 0. */
typedef struct cloudai_str {
  const char* data;
  size_t size;
} cloudai_str;

/* Where a callee writes its reply. `write` may be called any number of times; the chunks are concatenated. `write`
 * never fails and never throws. A reply above 64 MiB is refused by the receiver. Valid until the call returns. */
typedef struct cloudai_sink {
  void* context;
  void (*write)(void* context, cloudai_str chunk);
} cloudai_sink;

/* How a call ended. With any status but CLOUDAI_OK the reply is an error document:
 * {"message": text, "hint"?: text, "path"?: JSON pointer into the request, "retryable"?: boolean}.
 * An error without a message is reported as a fault of the module. */
typedef int32_t cloudai_status;
enum {
  CLOUDAI_OK = 0,
  CLOUDAI_INVALID_CONFIG = 1,   /* the user's configuration is wrong */
  CLOUDAI_INVALID_DOCUMENT = 2, /* the request is not a document this call understands */
  CLOUDAI_UNSUPPORTED = 3,      /* well-formed, but this module cannot do it */
  CLOUDAI_UNAVAILABLE = 4,      /* something outside did not answer; trying again may help */
  CLOUDAI_CANCELLED = 5,        /* the host asked to stop */
  CLOUDAI_FAILED = 6,           /* it was tried and did not work */
  CLOUDAI_INTERNAL = 7          /* a defect of the module */
};

/* A call on an instance: reads the JSON document `request`, writes a JSON document to `reply`. */
typedef cloudai_status (*cloudai_call)(void* instance, cloudai_str request, const cloudai_sink* reply);

#ifdef __cplusplus
}
#endif

#endif
