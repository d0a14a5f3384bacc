// What the output says about the machine a rank runs on.
#pragma once

#include <cstddef>
#include <string>

namespace mpi_collectives {

// The model name of the CPU, such as "AMD EPYC 9654 96-Core Processor"; where the kernel gives none, the architecture.
std::string cpu_model();

// The machine's name up to its first dot.
std::string short_host_name();

// Bytes of memory that can be had without swapping; the largest number where the kernel does not say.
std::size_t available_memory();

}  // namespace mpi_collectives
