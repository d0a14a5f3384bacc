// The scheduler slurm.
#include "cloudai/module.hpp"
#include "slurm_scheduler.hpp"

CLOUDAI_EXPORT_MODULE(cloudai::scheduler<slurm::SlurmScheduler>("slurm"));
