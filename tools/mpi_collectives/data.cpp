#include "tools/mpi_collectives/data.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace mpi_collectives {

namespace {

// Data repeat after this many elements, which makes filling and checking as fast as copying. A prime, since whatever
// MPI cuts messages into is a power of two: a block that arrives in the wrong place is noticed.
constexpr std::size_t period_length = 4093;

// Only so many ranks add to one element (which ones differs from element to element), or int8 would overflow.
constexpr std::size_t most_addends = 16;
constexpr std::size_t most_factors = 6;
constexpr unsigned char spoiled_byte = 0xa5;

std::uint32_t scramble(std::uint32_t value) {
  value ^= value >> 16U;
  value *= 0x7feb352dU;
  value ^= value >> 15U;
  value *= 0x846ca68bU;
  return value ^ (value >> 16U);
}

template <class Element>
Element sent_value(const Round& round, std::size_t rank, std::size_t index) {
  const std::uint32_t random = scramble(scramble(static_cast<std::uint32_t>(index) + round.number * 0x9e3779b9U) +
                                        static_cast<std::uint32_t>(rank));
  // 2^24: the largest range in which a float holds every whole number.
  constexpr std::uint32_t range = sizeof(Element) == 1 ? 128U : 1U << 24U;
  const std::size_t turn = (rank + index) % static_cast<std::size_t>(round.ranks);
  switch (round.reduction) {
    case Reduction::sum:
    case Reduction::avg:
      return static_cast<Element>(turn < most_addends ? random % 8U : 0U);
    case Reduction::prod:
      return static_cast<Element>(turn < most_factors ? 1U + random % 2U : 1U);
    case Reduction::none:
    case Reduction::min:
    case Reduction::max:
      break;
  }
  return static_cast<Element>(random % range);
}

template <class Element>
Element quotient(Element value, int divisor) {
  if constexpr (std::is_floating_point_v<Element>) {
    return value / static_cast<Element>(divisor);
  } else if constexpr (std::is_signed_v<Element>) {
    return static_cast<Element>(static_cast<std::int64_t>(value) / divisor);
  } else {
    return static_cast<Element>(static_cast<std::uint64_t>(value) / static_cast<std::uint64_t>(divisor));
  }
}

template <class Element>
Element combined(Reduction reduction, Element a, Element b) {
  switch (reduction) {
    case Reduction::prod:
      return static_cast<Element>(a * b);
    case Reduction::min:
      return std::min(a, b);
    case Reduction::max:
      return std::max(a, b);
    case Reduction::none:
    case Reduction::sum:
    case Reduction::avg:
      break;
  }
  return static_cast<Element>(a + b);
}

template <class Element>
Element reduced_value(const Round& round, std::size_t index) {
  auto result = sent_value<Element>(round, 0, index);
  for (std::size_t rank = 1; rank < static_cast<std::size_t>(round.ranks); ++rank) {
    result = combined(round.reduction, result, sent_value<Element>(round, rank, index));
  }
  return round.reduction == Reduction::avg ? quotient(result, round.ranks) : result;
}

// The values of one period: of one rank, or of the reduction of all.
template <class Element>
std::vector<Element> period_of(const Round& round, std::optional<int> source) {
  std::vector<Element> values(period_length);
  for (std::size_t index = 0; index < period_length; ++index) {
    values[index] = source ? sent_value<Element>(round, static_cast<std::size_t>(*source), index)
                           : reduced_value<Element>(round, index);
  }
  return values;
}

template <class Element>
std::size_t count_wrong_elements(const std::vector<Element>& period, std::size_t first, const std::byte* data,
                                 std::size_t count) {
  std::size_t wrong = 0;
  std::size_t position = first % period_length;
  while (count > 0) {
    const std::size_t stretch = std::min(count, period_length - position);
    for (std::size_t i = 0; i < stretch; ++i) {
      Element received;
      std::memcpy(&received, data + i * sizeof(Element), sizeof(Element));
      // Written so that a NaN counts as wrong.
      wrong += received == period[position + i] ? 0U : 1U;
    }
    data += stretch * sizeof(Element);
    count -= stretch;
    position = 0;
  }
  return wrong;
}

}  // namespace

void fill(const Round& round, int rank, std::span<std::byte> buffer) {
  with_element_of(round.type, [&](auto element) {
    const auto period = period_of<decltype(element)>(round, rank);
    const std::size_t period_bytes = period.size() * sizeof(element);
    for (std::size_t at = 0; at < buffer.size(); at += period_bytes) {
      std::memcpy(buffer.data() + at, period.data(), std::min(period_bytes, buffer.size() - at));
    }
  });
}

void spoil(std::span<std::byte> buffer) {
  std::memset(buffer.data(), spoiled_byte, buffer.size());
}

std::size_t count_wrong(const Round& round, const std::vector<Expectation>& expectations,
                        std::span<const std::byte> buffer) {
  return with_element_of(round.type, [&](auto element) {
    std::size_t wrong = 0;
    for (const Expectation& expected : expectations) {
      if (expected.count == 0) continue;
      const auto period = period_of<decltype(element)>(round, expected.source);
      const std::byte* const begin = buffer.data() + expected.offset * sizeof(element);
      wrong += count_wrong_elements(period, expected.first_element, begin, expected.count);
    }
    return wrong;
  });
}

void divide_by_ranks(const Round& round, const std::vector<Expectation>& expectations, std::span<std::byte> buffer) {
  with_element_of(round.type, [&](auto element) {
    for (const Expectation& expected : expectations) {
      std::byte* const begin = buffer.data() + expected.offset * sizeof(element);
      for (std::size_t i = 0; i < expected.count; ++i) {
        std::memcpy(&element, begin + i * sizeof(element), sizeof(element));
        element = quotient(element, round.ranks);
        std::memcpy(begin + i * sizeof(element), &element, sizeof(element));
      }
    }
  });
}

}  // namespace mpi_collectives
