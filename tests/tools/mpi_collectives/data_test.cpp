#include "tools/mpi_collectives/data.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace mpi_collectives {
namespace {

constexpr std::size_t element_count = 10000;  // more than two periods of the data

template <class Element>
std::vector<std::byte> bytes_of(const std::vector<Element>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(Element));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

template <class Element>
std::vector<Element> values_of(const std::vector<std::byte>& bytes) {
  std::vector<Element> values(bytes.size() / sizeof(Element));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<std::byte> sent_by(const Round& round, int rank, std::size_t elements = element_count) {
  std::vector<std::byte> bytes(elements * size_of(round.type));
  fill(round, rank, bytes);
  return bytes;
}

TEST(Data, WhatARankSentIsRight) {
  for (const DataType type : all_data_types()) {
    const Round round{type, Reduction::none, 4, 7};
    EXPECT_EQ(count_wrong(round, {{2, 0, element_count, 0}}, sent_by(round, 2)), 0U) << name_of(type);
  }
}

TEST(Data, EveryChangedElementIsCounted) {
  const Round round{DataType::float32, Reduction::none, 4, 1};
  auto values = values_of<float>(sent_by(round, 0));
  values[0] += 1;
  values[5000] = std::numeric_limits<float>::quiet_NaN();
  values[element_count - 1] = -values[element_count - 1] - 1;
  EXPECT_EQ(count_wrong(round, {{0, 0, element_count, 0}}, bytes_of(values)), 3U);
}

TEST(Data, ASingleBitOfADoubleIsAWrongElement) {
  const Round round{DataType::float64, Reduction::none, 2, 1};
  auto bytes = sent_by(round, 0);
  bytes[800] ^= std::byte{1};
  EXPECT_EQ(count_wrong(round, {{0, 0, element_count, 0}}, bytes), 1U);
}

TEST(Data, OtherRanksOtherRoundsAndSpoiledBuffersAreWrong) {
  for (const DataType type : all_data_types()) {
    const Round round{type, Reduction::none, 4, 7};
    const std::vector<Expectation> expected{{2, 0, element_count, 0}};
    EXPECT_GT(count_wrong(round, expected, sent_by(round, 3)), element_count * 9 / 10) << name_of(type);
    EXPECT_GT(count_wrong(round, expected, sent_by({type, Reduction::none, 4, 6}, 2)), element_count * 9 / 10)
        << name_of(type);
    auto spoiled = sent_by(round, 2);
    spoil(spoiled);
    EXPECT_EQ(count_wrong(round, expected, spoiled), element_count) << name_of(type);
  }
}

TEST(Data, AShiftedBlockIsWrong) {
  const Round round{DataType::int32, Reduction::none, 2, 1};
  for (const std::size_t shift : {1U, 64U, 4096U}) {
    EXPECT_GT(count_wrong(round, {{0, shift, 5000, 0}}, sent_by(round, 0)), 4900U) << shift;
  }
}

TEST(Data, PositionsAreRespected) {
  const Round round{DataType::int32, Reduction::none, 2, 1};
  const auto sent = sent_by(round, 1);
  // Elements 5000 to 5099 of rank 1, received at 300.
  std::vector<std::byte> received(400 * 4);
  std::memcpy(received.data() + 300 * 4, sent.data() + 5000 * 4, 400);
  EXPECT_EQ(count_wrong(round, {{1, 5000, 100, 300}}, received), 0U);
  EXPECT_GT(count_wrong(round, {{1, 5000, 100, 299}}, received), 90U);
}

TEST(Data, NothingExpectedIsNothingWrong) {
  const Round round{DataType::float32, Reduction::sum, 2, 1};
  EXPECT_EQ(count_wrong(round, {}, {}), 0U);
  EXPECT_EQ(count_wrong(round, {{0, 0, 0, 0}}, {}), 0U);
}

// Adds up by hand what the ranks send, in a type that cannot overflow.
std::vector<double> reduced_by_hand(const Round& round) {
  std::vector<double> result;
  for (int rank = 0; rank < round.ranks; ++rank) {
    with_element_of(round.type, [&](auto element) {
      const auto values = values_of<decltype(element)>(sent_by(round, rank));
      if (rank == 0) result.assign(values.begin(), values.end());
      for (std::size_t i = 0; rank > 0 && i < values.size(); ++i) {
        const auto value = static_cast<double>(values[i]);
        if (round.reduction == Reduction::prod) result[i] *= value;
        if (round.reduction == Reduction::min) result[i] = std::min(result[i], value);
        if (round.reduction == Reduction::max) result[i] = std::max(result[i], value);
        if (round.reduction == Reduction::sum || round.reduction == Reduction::avg) result[i] += value;
      }
    });
  }
  return result;
}

TEST(Data, ReductionsAreExactAndOverflowInNoType) {
  for (const DataType type : all_data_types()) {
    for (const Reduction reduction : all_reductions()) {
      for (const int ranks : {1, 3, 20, 130}) {
        const Round round{type, reduction, ranks, 3};
        const auto exact = reduced_by_hand(round);
        const std::vector<Expectation> expected{{std::nullopt, 0, element_count, 0}};
        with_element_of(type, [&](auto element) {
          std::vector<decltype(element)> values;
          for (const double value : exact) {
            values.push_back(static_cast<decltype(element)>(value));
            ASSERT_EQ(static_cast<double>(values.back()), value);
          }
          auto bytes = bytes_of(values);
          if (reduction == Reduction::avg) divide_by_ranks(round, expected, bytes);
          EXPECT_EQ(count_wrong(round, expected, bytes), 0U)
              << name_of(type) << ' ' << name_of(reduction) << ' ' << ranks;
        });
      }
    }
  }
}

TEST(Data, AMissingRankIsSeenInEveryReduction) {
  for (const Reduction reduction : all_reductions()) {
    const Round round{DataType::int8, reduction, 4, 3};
    std::vector<std::int8_t> partial;
    for (int rank = 0; rank < 3; ++rank) {
      const auto values = values_of<std::int8_t>(sent_by(round, rank));
      if (rank == 0) partial = values;
      for (std::size_t i = 0; rank > 0 && i < values.size(); ++i) {
        if (reduction == Reduction::prod) partial[i] = static_cast<std::int8_t>(partial[i] * values[i]);
        if (reduction == Reduction::min) partial[i] = std::min(partial[i], values[i]);
        if (reduction == Reduction::max) partial[i] = std::max(partial[i], values[i]);
        if (reduction == Reduction::sum || reduction == Reduction::avg) {
          partial[i] = static_cast<std::int8_t>(partial[i] + values[i]);
        }
      }
    }
    const std::vector<Expectation> expected{{std::nullopt, 0, element_count, 0}};
    auto bytes = bytes_of(partial);
    if (reduction == Reduction::avg) divide_by_ranks(round, expected, bytes);
    EXPECT_GT(count_wrong(round, expected, bytes), element_count / 10) << name_of(reduction);
  }
}

TEST(Data, AveragesOfWholeNumbersRoundTowardsZero) {
  const Round round{DataType::int32, Reduction::avg, 4, 1};
  auto bytes = bytes_of(std::vector<std::int32_t>{7, -7, 8});
  divide_by_ranks(round, {{std::nullopt, 0, 3, 0}}, bytes);
  EXPECT_EQ(values_of<std::int32_t>(bytes), (std::vector<std::int32_t>{1, -1, 2}));
}

}  // namespace
}  // namespace mpi_collectives
