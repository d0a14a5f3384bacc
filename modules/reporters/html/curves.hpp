// The curves of the scenario's page: one set for each test, whatever the number of its runs.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "modules/reporters/html/plot_chart.hpp"
#include "modules/reporters/results/outcome.hpp"
#include "modules/reporters/results/summary.hpp"

namespace cloudai::html {

// Gathers the plots of main stages, runs of one test on as many nodes in one set. What it keeps is bounded, and it says
// what was left out.
class Curves {
 public:
  static constexpr std::size_t most_sets = 40;
  static constexpr std::size_t most_values = 500'000;

  void add(const results::RunSummary& run, const std::vector<results::StageOutcome>& stages);

  // A <section> for each set; empty where there is nothing to draw.
  std::string markup() const;

 private:
  using Key = std::tuple<std::string, std::string, std::size_t>;  // workload, test, nodes

  struct Set {
    std::string test;
    std::size_t nodes = 0;
    std::size_t runs = 0;
    std::vector<PlotChart> charts;
    std::map<std::string, std::size_t> places;  // in charts, by what tells plots apart
  };

  Set* set_of(const results::RunSummary& run);
  void add_plots(Set& set, const Outcome& outcome);

  std::vector<Set> sets_;
  std::map<Key, std::size_t> places_;
  std::size_t values_ = 0;
  std::size_t left_out_ = 0;  // runs
};

}  // namespace cloudai::html
