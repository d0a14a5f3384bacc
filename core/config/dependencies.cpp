#include "core/config/dependencies.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/support/nearest.hpp"

namespace cloudai::config {
namespace {

using Index = std::map<std::string, std::size_t>;

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
    if (dependency.id == value.id) {
      diagnostics.error(dependency.position,
                        "test '" + value.id + "' depends on itself: " + value.id + " -> " + value.id + ".");
    } else if (!index.contains(dependency.id)) {
      if (diagnostics.is_full()) return;
      std::vector<std::string> others = ids;
      std::erase(others, value.id);
      const std::string advice = did_you_mean(dependency.id, others);
      diagnostics.error(dependency.position, "test '" + value.id + "' depends on '" + dependency.id +
                                                 "', which is not in this scenario" + (advice.empty() ? "." : advice));
    }
  }
}

bool delays_start(const Dependency& dependency) {
  return dependency.type != DependencyType::end_post_comp;
}

// Depth-first search along what a case waits for before it starts, with a path of its own, since a chain may be as long
// as the scenario.
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
      if (target == index_.end() || dependency.id == value.id || !delays_start(dependency)) continue;
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

// What may have to happen before something else does: the start of a case, or its completion.
class Waits {
 public:
  Waits(const std::vector<Case>& cases, const Index& index) : cases_(cases), index_(index) {}

  // Whether `later` starts only after `first` has completed.
  bool starts_after_end_of(std::size_t later, std::size_t first) const { return waits(later, Event::start, first); }

  // Whether `later` completes only after `first` has, unless a case that is to end with another ends by itself.
  bool ends_after_end_of(std::size_t later, std::size_t first) const { return waits(later, Event::end, first); }

 private:
  enum class Event : std::size_t { start, end };

  // Cases that end with each other wait for none: the first that ends ends the other. So there must be a start that
  // waits for an end on the way.
  bool waits(std::size_t later, Event event, std::size_t first) const {
    std::vector<bool> seen(2 * cases_.size());
    std::vector<std::pair<std::size_t, Event>> stack;
    const auto visit = [&](std::size_t at, Event what) {
      const std::size_t place = 2 * at + static_cast<std::size_t>(what);
      if (!seen[place]) stack.emplace_back(at, what);
      seen[place] = true;
    };
    visit(later, event);
    while (!stack.empty()) {
      const auto [at, what] = stack.back();
      stack.pop_back();
      if (what == Event::end) visit(at, Event::start);
      for (const Dependency& dependency : cases_[at].dependencies) {
        const auto target = index_.find(dependency.id);
        if (target == index_.end() || target->second == at || delays_start(dependency) == (what == Event::end))
          continue;
        if (target->second == first && dependency.type == DependencyType::start_post_comp) return true;
        visit(target->second, dependency.type == DependencyType::start_post_init ? Event::start : Event::end);
      }
    }
    return false;
  }

  const std::vector<Case>& cases_;
  const Index& index_;
};

void check_ending(const Case& value, const Dependency& dependency, std::size_t own, std::size_t target,
                  const Waits& waits, Diagnostics& diagnostics) {
  const std::string to_end = "test '" + value.id + "' is to end when '" + dependency.id + "' has completed, but ";
  if (waits.starts_after_end_of(own, target)) {
    diagnostics.error(dependency.position, to_end + "it starts only after that, so it would never run.");
  } else if (waits.starts_after_end_of(target, own)) {
    diagnostics.error(dependency.position,
                      to_end + "'" + dependency.id + "' starts only after '" + value.id + "' has completed.");
  } else if (waits.ends_after_end_of(target, own)) {
    diagnostics.error(dependency.position, to_end + "'" + dependency.id +
                                               "' is to end with a test that starts only after '" + value.id +
                                               "' has completed.");
  }
}

// A test that ends with one that waits for its end would run for ever, if it does not end by itself.
void check_endings(const std::vector<Case>& cases, const Index& index, Diagnostics& diagnostics) {
  const Waits waits(cases, index);
  for (std::size_t i = 0; i < cases.size() && !diagnostics.is_full(); ++i) {
    for (const Dependency& dependency : cases[i].dependencies) {
      const auto target = index.find(dependency.id);
      if (delays_start(dependency) || target == index.end() || target->second == i) continue;
      check_ending(cases[i], dependency, i, target->second, waits, diagnostics);
    }
  }
}

}  // namespace

void check_dependencies(const std::vector<Case>& cases, Diagnostics& diagnostics) {
  const Index index = index_of(cases, diagnostics);
  std::vector<std::string> ids;
  for (const auto& [id, at] : index) ids.push_back(id);
  for (const Case& value : cases) check_targets(value, ids, index, diagnostics);
  CycleFinder(cases, index, diagnostics).search();
  check_endings(cases, index, diagnostics);
}

}  // namespace cloudai::config
