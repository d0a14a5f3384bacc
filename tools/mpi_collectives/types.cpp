#include "tools/mpi_collectives/types.hpp"

#include <algorithm>
#include <array>

namespace mpi_collectives {

namespace {

struct TypeName {
  DataType type;
  std::string_view name;
};
constexpr std::array<TypeName, 8> type_names{{{DataType::int8, "int8"},
                                              {DataType::uint8, "uint8"},
                                              {DataType::int32, "int32"},
                                              {DataType::uint32, "uint32"},
                                              {DataType::int64, "int64"},
                                              {DataType::uint64, "uint64"},
                                              {DataType::float32, "float"},
                                              {DataType::float64, "double"}}};

struct ReductionName {
  Reduction reduction;
  std::string_view name;
};
constexpr std::array<ReductionName, 5> reduction_names{{{Reduction::sum, "sum"},
                                                        {Reduction::prod, "prod"},
                                                        {Reduction::max, "max"},
                                                        {Reduction::min, "min"},
                                                        {Reduction::avg, "avg"}}};

}  // namespace

std::string_view name_of(DataType type) {
  return std::find_if(type_names.begin(), type_names.end(), [&](const TypeName& entry) { return entry.type == type; })
      ->name;
}

std::string_view name_of(Reduction reduction) {
  const auto* const found = std::find_if(reduction_names.begin(), reduction_names.end(),
                                         [&](const ReductionName& entry) { return entry.reduction == reduction; });
  return found == reduction_names.end() ? "none" : found->name;
}

std::optional<DataType> data_type_named(std::string_view name) {
  const auto* const found =
      std::find_if(type_names.begin(), type_names.end(), [&](const TypeName& entry) { return entry.name == name; });
  if (found == type_names.end()) return std::nullopt;
  return found->type;
}

std::optional<Reduction> reduction_named(std::string_view name) {
  const auto* const found = std::find_if(reduction_names.begin(), reduction_names.end(),
                                         [&](const ReductionName& entry) { return entry.name == name; });
  if (found == reduction_names.end()) return std::nullopt;
  return found->reduction;
}

const std::vector<DataType>& all_data_types() {
  static const std::vector<DataType> types = [] {
    std::vector<DataType> result;
    for (const TypeName& entry : type_names) result.push_back(entry.type);
    return result;
  }();
  return types;
}

const std::vector<Reduction>& all_reductions() {
  static const std::vector<Reduction> reductions = [] {
    std::vector<Reduction> result;
    for (const ReductionName& entry : reduction_names) result.push_back(entry.reduction);
    return result;
  }();
  return reductions;
}

std::size_t size_of(DataType type) {
  return with_element_of(type, [](auto element) { return sizeof(element); });
}

MPI_Datatype mpi_type_of(DataType type) {
  switch (type) {
    case DataType::int8:
      return MPI_INT8_T;
    case DataType::uint8:
      return MPI_UINT8_T;
    case DataType::int32:
      return MPI_INT32_T;
    case DataType::uint32:
      return MPI_UINT32_T;
    case DataType::int64:
      return MPI_INT64_T;
    case DataType::uint64:
      return MPI_UINT64_T;
    case DataType::float32:
      return MPI_FLOAT;
    case DataType::float64:
      break;
  }
  return MPI_DOUBLE;
}

MPI_Op mpi_operation_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::prod:
      return MPI_PROD;
    case Reduction::max:
      return MPI_MAX;
    case Reduction::min:
      return MPI_MIN;
    case Reduction::none:
    case Reduction::sum:
    case Reduction::avg:
      break;
  }
  return MPI_SUM;
}

}  // namespace mpi_collectives
