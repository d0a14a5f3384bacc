// The scheduler standalone.
#include "cloudai/module.hpp"
#include "standalone_scheduler.hpp"

CLOUDAI_EXPORT_MODULE(cloudai::scheduler<standalone::StandaloneScheduler>("standalone"));
