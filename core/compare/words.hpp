// A comparison in words: its cells and sentences, the same on a terminal and in Markdown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/compare/comparison.hpp"

namespace cloudai::compare {

// `text` with "?" for whatever would end the line, move a cursor or turn the direction of writing.
std::string one_line(const std::string& text);

// "busbw all_reduce 1 MiB in", after the stage unless that is the main one. The labels of a collective speak for
// themselves; any other has its name, "root=3".
std::string metric_text(const MetricKey& key);

// "400 GB/s", "1.5 KiB".
std::string quantity_text(double value, const std::string& unit);

// A quantity; of several measurements the median, "400 GB/s (3: 390 to 402)". "-" where there is none.
std::string value_text(const std::optional<Statistics>& value, const std::string& unit);

// "-12.5 %", or why there is no such number.
std::string change_text(const Change& change, const Results& baseline, const Results& other);

// "passed", "2 of 3 passed, 1 failed"; "-" where there is no such test.
std::string side_text(const std::optional<CaseSide>& side);

// "REGRESSION", "better", "not compared" …
std::string word_of(Verdict verdict);

// "2 regressions, 1 better, 40 same" in the order of the verdicts.
std::string tally_text(const Tally& tally);

// What came of it, in one sentence.
std::string verdict_sentence(const Totals& totals, const std::string& baseline_name);

// "5 %, busbw 3 %".
std::string tolerance_text(const Tolerance& tolerance);

// "demo on system example, 2026-03-01T12:00:00.000Z, passed".
std::string results_text(const Results& results);

}  // namespace cloudai::compare
