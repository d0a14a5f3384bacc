// The scheduler runai.
#include "cloudai/module.hpp"
#include "runai_scheduler.hpp"

CLOUDAI_EXPORT_MODULE(cloudai::scheduler<runai::RunaiScheduler>("runai"));
