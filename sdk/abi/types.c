/* Uses every type of the boundary, so that the debug information of its object file describes them all. */
#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "cloudai/abi/module.h"
#include "cloudai/abi/reporter.h"
#include "cloudai/abi/scheduler.h"
#include "cloudai/abi/workload.h"

const cloudai_module_entry* abi_module_entry;
const cloudai_host* abi_host;
const cloudai_host_process_v1* abi_host_process;
const cloudai_host_counter_v1* abi_host_counter;
const cloudai_workload_v1* abi_workload;
const cloudai_scheduler_v1* abi_scheduler;
const cloudai_reporter_v1* abi_reporter;
