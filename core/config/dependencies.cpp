#include "core/config/dependencies.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "core/support/nearest.hpp"

namespace cloudai::config {
namespace {

using Index = std::map<std::string, std::size_t>;

// The types the runner does not act on yet.
void refuse_unsupported(const Dependency& dependency, Diagnostics& diagnostics) {
  if (dependency.type == DependencyType::start_post_comp) return;
  diagnostics.error(dependency.position, "dependencies of type '" + std::string(to_string(dependency.type)) +
                                             "' are not supported by this version; '" +
                                             std::string(to_string(DependencyType::start_post_comp)) + "' is.");
}

Index index_of(const std::vector<Case>& cases, Diagnostics& diagnostics) {
  Index index;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].id.empty()) continue;
    const auto [known, is_new] = index.try_emplace(cases[i].id, i);
    if (is_new) continue;
    diagnostics.error(cases[i].position, "the id '" + cases[i].id + "' is there twice: first at " +
                                             to_string(cases[known->second].position) +
                                             ". Each test needs an id of its own.");
  }
  return index;
}

void check_targets(const Case& value, const std::vector<std::string>& ids, const Index& index,
                   Diagnostics& diagnostics) {
  for (const Dependency& dependency : value.dependencies) {
    refuse_unsupported(dependency, diagnostics);
    if (dependency.id == value.id) {
      diagnostics.error(dependency.position,
                        "test '" + value.id + "' depends on itself: " + value.id + " -> " + value.id + ".");
    } else if (!index.contains(dependency.id)) {
      std::vector<std::string> others = ids;
      std::erase(others, value.id);
      const std::string advice = did_you_mean(dependency.id, others);
      diagnostics.error(dependency.position, "test '" + value.id + "' depends on '" + dependency.id +
                                                 "', which is not in this scenario" + (advice.empty() ? "." : advice));
    }
  }
}

// Depth-first search with a path of its own, since a chain may be as long as the scenario.
class CycleFinder {
 public:
  CycleFinder(const std::vector<Case>& cases, const Index& index, Diagnostics& diagnostics)
      : cases_(cases), index_(index), diagnostics_(diagnostics), marks_(cases.size(), Mark::unseen) {}

  void search() {
    for (std::size_t start = 0; start < cases_.size(); ++start) {
      if (marks_[start] == Mark::unseen) search_from(start);
    }
  }

 private:
  enum class Mark { unseen, on_path, done };
  struct Step {
    std::size_t at;
    std::size_t next_dependency;
  };

  void search_from(std::size_t start) {
    enter(start);
    while (!path_.empty()) {
      const Case& value = cases_[path_.back().at];
      if (path_.back().next_dependency == value.dependencies.size()) {
        marks_[path_.back().at] = Mark::done;
        path_.pop_back();
        continue;
      }
      const Dependency& dependency = value.dependencies[path_.back().next_dependency++];
      const auto target = index_.find(dependency.id);
      if (target == index_.end() || dependency.id == value.id) continue;
      if (marks_[target->second] == Mark::on_path) report(target->second);
      if (marks_[target->second] == Mark::unseen) enter(target->second);
    }
  }

  void enter(std::size_t at) {
    marks_[at] = Mark::on_path;
    path_.push_back({at, 0});
  }

  void report(std::size_t first) {
    const auto begin = std::find_if(path_.begin(), path_.end(), [&](const Step& step) { return step.at == first; });
    std::string cycle;
    for (auto step = begin; step != path_.end(); ++step) cycle += cases_[step->at].id + " -> ";
    diagnostics_.error(cases_[first].position,
                       "these tests wait for each other and none could start: " + cycle + cases_[first].id + ".");
  }

  const std::vector<Case>& cases_;
  const Index& index_;
  Diagnostics& diagnostics_;
  std::vector<Mark> marks_;
  std::vector<Step> path_;
};

}  // namespace

void check_dependencies(const std::vector<Case>& cases, Diagnostics& diagnostics) {
  const Index index = index_of(cases, diagnostics);
  std::vector<std::string> ids;
  for (const auto& [id, at] : index) ids.push_back(id);
  for (const Case& value : cases) check_targets(value, ids, index, diagnostics);
  CycleFinder(cases, index, diagnostics).search();
}

}  // namespace cloudai::config
