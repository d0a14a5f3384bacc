// The element types and reductions of the benchmark, under the names nccl-tests gives them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpi_collectives {

enum class DataType { int8, uint8, int32, uint32, int64, uint64, float32, float64 };

// none: the collective only moves data.
enum class Reduction { none, sum, prod, max, min, avg };

std::string_view name_of(DataType type);
std::string_view name_of(Reduction reduction);

std::optional<DataType> data_type_named(std::string_view name);
std::optional<Reduction> reduction_named(std::string_view name);

// In the order of `--datatype all` and `--op all`.
const std::vector<DataType>& all_data_types();
const std::vector<Reduction>& all_reductions();

std::size_t size_of(DataType type);
MPI_Datatype mpi_type_of(DataType type);

// The operation MPI is asked for. MPI knows no average: avg is a sum, divided afterwards.
MPI_Op mpi_operation_of(Reduction reduction);

// Calls `function` with a zero of the C++ type that `type` stands for.
template <class Function>
auto with_element_of(DataType type, Function&& function) {
  switch (type) {
    case DataType::int8:
      return function(std::int8_t{});
    case DataType::uint8:
      return function(std::uint8_t{});
    case DataType::int32:
      return function(std::int32_t{});
    case DataType::uint32:
      return function(std::uint32_t{});
    case DataType::int64:
      return function(std::int64_t{});
    case DataType::uint64:
      return function(std::uint64_t{});
    case DataType::float32:
      return function(float{});
    case DataType::float64:
      break;
  }
  return function(double{});
}

}  // namespace mpi_collectives
