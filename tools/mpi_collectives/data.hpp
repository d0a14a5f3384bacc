// What the ranks send, and whether what they received is right.
//
// Every value follows from rank, element and round by a rule, so that a receiver knows what it must have got without a
// second transfer. Values are small whole numbers: sums and products are then exact in every type and overflow in none,
// and a single wrong bit is a wrong element.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "tools/mpi_collectives/types.hpp"

namespace mpi_collectives {

// One exchange. A new `number` gives new data, so that what an earlier exchange left behind is not taken for a result.
struct Round {
  DataType type = DataType::float32;
  Reduction reduction = Reduction::none;
  int ranks = 1;
  unsigned number = 0;
};

// A stretch of a receive buffer after the exchange. All positions and lengths are in elements.
struct Expectation {
  std::optional<int> source;      // the rank whose data it holds; nothing: the reduction of all ranks
  std::size_t first_element = 0;  // which of the sender's elements comes first
  std::size_t count = 0;
  std::size_t offset = 0;  // where in the buffer it begins
};

// Fills `buffer` with the elements that `rank` sends, from its first one on.
void fill(const Round& round, int rank, std::span<std::byte> buffer);

// Overwrites `buffer` with bytes that no rank ever sends.
void spoil(std::span<std::byte> buffer);

// How many of the expected elements are not in `buffer`.
std::size_t count_wrong(const Round& round, const std::vector<Expectation>& expectations,
                        std::span<const std::byte> buffer);

// Divides the elements at the expected places by the number of ranks: the second half of an average. Whole numbers are
// rounded towards zero.
void divide_by_ranks(const Round& round, const std::vector<Expectation>& expectations, std::span<std::byte> buffer);

}  // namespace mpi_collectives
