/* The workload CpuCount: a node passes if it has enough CPUs. C99 on the boundary's headers alone, without a library.
 *
 * Requests are JSON. One number and one word of them are needed, so they are searched for as text: inside a JSON text
 * quotes are escaped, so `"gate":` can only be a key.
 */
#include <stdio.h>
#include <string.h>

#include "cloudai/abi/module.h"
#include "cloudai/abi/workload.h"

extern const char cloudai_manifest[]; /* comes from cloudai_add_module() */

/* What follows `"key":` in the request, or null. Blanks are skipped; the end is that of the request. */
static const char* value_of(cloudai_str json, const char* key, const char** end) {
  const size_t length = strlen(key);
  size_t i;
  *end = json.data + json.size;
  for (i = 0; i + length + 2 <= json.size; ++i) {
    const char* at = json.data + i;
    if (at[0] != '"' || memcmp(at + 1, key, length) != 0 || at[length + 1] != '"') continue;
    for (at += length + 2; at < *end && strchr(" \t\r\n", *at) != NULL;) ++at;
    if (at == *end || *at != ':') continue;
    for (++at; at < *end && strchr(" \t\r\n", *at) != NULL;) ++at;
    return at;
  }
  return NULL;
}

static cloudai_status answer(const cloudai_sink* reply, cloudai_status status, const char* document) {
  const cloudai_str text = {document, strlen(document)};
  reply->write(reply->context, text);
  return status;
}

static cloudai_status requirements(void* instance, cloudai_str request, const cloudai_sink* reply) {
  const char* end;
  (void)instance;
  if (value_of(request, "schema", &end) == NULL) {
    return answer(reply, CLOUDAI_INVALID_DOCUMENT, "{\"message\": \"The request has no key 'schema'.\"}");
  }
  return answer(reply, CLOUDAI_OK, "{\"schema\": \"cloudai.requirements/1\", \"items\": []}");
}

static cloudai_status plan(void* instance, cloudai_str request, const cloudai_sink* reply) {
  char document[256];
  const char* end;
  const char* digits = value_of(request, "cpus", &end);
  long cpus = 0;
  (void)instance;
  for (; digits != NULL && digits < end && *digits >= '0' && *digits <= '9' && cpus < 100000; ++digits) {
    cpus = 10 * cpus + (*digits - '0');
  }
  if (cpus == 0) {
    return answer(reply, CLOUDAI_INVALID_DOCUMENT, "{\"message\": \"The request has no number 'cpus' in cmd_args.\"}");
  }
  snprintf(document, sizeof document,
           "{\"schema\": \"cloudai.plan/1\", \"steps\": [{\"name\": \"main\","
           " \"command\": {\"shell\": \"nproc && test $(nproc) -ge %ld\"}}]}",
           cpus);
  return answer(reply, CLOUDAI_OK, document);
}

/* The gate is open if the command's exit status was 0. */
static cloudai_status evaluate(void* instance, cloudai_str request, const cloudai_sink* reply) {
  const char* end;
  const char* gate = value_of(request, "gate", &end);
  (void)instance;
  if (value_of(request, "result", &end) == NULL) {
    return answer(reply, CLOUDAI_INVALID_DOCUMENT, "{\"message\": \"The request has no key 'result'.\"}");
  }
  if (gate != NULL && end - gate >= 6 && memcmp(gate, "\"open\"", 6) == 0) {
    return answer(reply, CLOUDAI_OK, "{\"schema\": \"cloudai.outcome/1\", \"verdict\": \"passed\"}");
  }
  return answer(reply, CLOUDAI_OK,
                "{\"schema\": \"cloudai.outcome/1\", \"verdict\": \"failed\", \"reason\": {\"code\": \"test_failure\","
                " \"text\": \"a node has fewer CPUs than the test asks for\","
                " \"evidence\": [{\"path\": \"stdout.txt\"}]}}");
}

static const cloudai_workload_v1 workload = {sizeof workload, requirements, plan, evaluate};

static cloudai_status init(const cloudai_host* host, const cloudai_sink* reply) {
  (void)host;
  (void)reply;
  return CLOUDAI_OK;
}

static void deinit(void) {}

static const void* get_interface(cloudai_str id) {
  const size_t length = strlen(CLOUDAI_WORKLOAD_V1);
  return id.size == length && memcmp(id.data, CLOUDAI_WORKLOAD_V1, length) == 0 ? &workload : NULL;
}

__attribute__((visibility("default"))) extern const cloudai_module_entry cloudai_module_entry_v0;
const cloudai_module_entry cloudai_module_entry_v0 = {sizeof(cloudai_module_entry),
                                                      CLOUDAI_ABI_MAJOR,
                                                      CLOUDAI_MANIFEST_ABI_MINOR,
                                                      {cloudai_manifest, CLOUDAI_MANIFEST_SIZE},
                                                      init,
                                                      deinit,
                                                      get_interface};
