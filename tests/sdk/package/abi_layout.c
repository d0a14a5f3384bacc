/* The layout of what crosses the boundary on x86-64, number by number. It is compiled; there is nothing to run. */
#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "cloudai/abi/module.h"
#include "cloudai/abi/reporter.h"
#include "cloudai/abi/scheduler.h"
#include "cloudai/abi/workload.h"

#ifdef __x86_64__

/* C99 has no static assertion: a false one is an array of a negative size, and its name tells which. */
#define HOLDS(name, condition) typedef char name[(condition) ? 1 : -1]
#define SIZE(type, size) HOLDS(size_of_##type, sizeof(type) == (size))
#define MEMBER(type, member, offset) HOLDS(offset_in_##type##_of_##member, offsetof(type, member) == (offset))

SIZE(cloudai_str, 16);
MEMBER(cloudai_str, data, 0);
MEMBER(cloudai_str, size, 8);

SIZE(cloudai_sink, 16);
MEMBER(cloudai_sink, context, 0);
MEMBER(cloudai_sink, write, 8);

SIZE(cloudai_status, 4);
SIZE(cloudai_call, 8);
HOLDS(status_ok, CLOUDAI_OK == 0);
HOLDS(status_invalid_config, CLOUDAI_INVALID_CONFIG == 1);
HOLDS(status_invalid_document, CLOUDAI_INVALID_DOCUMENT == 2);
HOLDS(status_unsupported, CLOUDAI_UNSUPPORTED == 3);
HOLDS(status_unavailable, CLOUDAI_UNAVAILABLE == 4);
HOLDS(status_cancelled, CLOUDAI_CANCELLED == 5);
HOLDS(status_failed, CLOUDAI_FAILED == 6);
HOLDS(status_internal, CLOUDAI_INTERNAL == 7);

SIZE(cloudai_host, 40);
MEMBER(cloudai_host, struct_size, 0);
MEMBER(cloudai_host, abi_minor, 4);
MEMBER(cloudai_host, context, 8);
MEMBER(cloudai_host, log, 16);
MEMBER(cloudai_host, is_cancelled, 24);
MEMBER(cloudai_host, get_interface, 32);

SIZE(cloudai_module_entry, 48);
MEMBER(cloudai_module_entry, struct_size, 0);
MEMBER(cloudai_module_entry, abi_major, 4);
MEMBER(cloudai_module_entry, abi_minor_required, 6);
MEMBER(cloudai_module_entry, manifest, 8);
MEMBER(cloudai_module_entry, init, 24);
MEMBER(cloudai_module_entry, deinit, 32);
MEMBER(cloudai_module_entry, get_interface, 40);

SIZE(cloudai_workload_v1, 32);
MEMBER(cloudai_workload_v1, struct_size, 0);
MEMBER(cloudai_workload_v1, requirements, 8);
MEMBER(cloudai_workload_v1, plan, 16);
MEMBER(cloudai_workload_v1, evaluate, 24);

SIZE(cloudai_reporter_v1, 16);
MEMBER(cloudai_reporter_v1, struct_size, 0);
MEMBER(cloudai_reporter_v1, write, 8);

SIZE(cloudai_scheduler_v1, 88);
MEMBER(cloudai_scheduler_v1, struct_size, 0);
MEMBER(cloudai_scheduler_v1, open, 8);
MEMBER(cloudai_scheduler_v1, provision, 16);
MEMBER(cloudai_scheduler_v1, allocate, 24);
MEMBER(cloudai_scheduler_v1, render, 32);
MEMBER(cloudai_scheduler_v1, submit, 40);
MEMBER(cloudai_scheduler_v1, poll, 48);
MEMBER(cloudai_scheduler_v1, cancel, 56);
MEMBER(cloudai_scheduler_v1, collect, 64);
MEMBER(cloudai_scheduler_v1, find, 72);
MEMBER(cloudai_scheduler_v1, close, 80);

SIZE(cloudai_host_process_v1, 40);
MEMBER(cloudai_host_process_v1, struct_size, 0);
MEMBER(cloudai_host_process_v1, run, 8);
MEMBER(cloudai_host_process_v1, spawn_detached, 16);
MEMBER(cloudai_host_process_v1, inspect, 24);
MEMBER(cloudai_host_process_v1, terminate, 32);

SIZE(cloudai_host_counter_v1, 16);
MEMBER(cloudai_host_counter_v1, struct_size, 0);
MEMBER(cloudai_host_counter_v1, count, 8);

#endif
