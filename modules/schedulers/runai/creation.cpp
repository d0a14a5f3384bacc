#include "creation.hpp"

#include <algorithm>

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"
#include "workload_names.hpp"

namespace runai {
namespace {

using cloudai::Error;
using cloudai::Status;
using std::chrono::seconds;

// A look that must not be missed although cloudai stops: without it a workload would run that nobody knows of.
constexpr seconds last_look{5};

}  // namespace

Created Creation::create(const std::string& tag, const Submission& submission, const std::string& payload) {
  Attempt attempt{tag, submission.kind, submission.name, payload};
  try {
    Created created = this->attempt(attempt);
    if (created.wait.empty()) unanswered_since_.erase(tag);
    return created;
  } catch (const Error& error) {
    if (error.status() != Status::cancelled || !attempt.may_exist) throw;
    std::string id = look_once(attempt, {false, now_() + last_look});
    if (id.empty()) throw;
    return {std::move(id), attempt.name, {}};
  }
}

Created Creation::attempt(Attempt& attempt) {
  while (true) {
    attempt.may_exist = true;
    const ApiReply reply = api_.create(attempt.kind, attempt.payload);
    attempt.said = reply.message;
    switch (reply.action) {
      case Action::accept:
        return {reply.body.at("workloadId").get<std::string>(), attempt.name, {}};
      case Action::retry:
        attempt.may_exist = false;
        return not_answered(attempt);
      case Action::reconcile:
        cloudai::host().log_warning("Whether Run:ai made the workload '" + attempt.name + "' is not known (" +
                                    reply.message + "); it is looked for by its name.");
        if (std::string id = look(attempt); !id.empty()) return {std::move(id), attempt.name, {}};
        if (attempt.is_repeated) {
          throw Error(
              Status::failed,
              "Run:ai did not make the workload '" + attempt.name + "' in two attempts: " + sentence(attempt.said),
              "Look for a workload of this name in Run:ai and delete it.");
        }
        attempt.is_repeated = true;
        break;
      case Action::conflict:
        // The name ends with the job's own tag, so what has it in this project is this job's.
        if (std::string id = look(attempt); !id.empty()) return {std::move(id), attempt.name, {}};
        if (attempt.is_renamed) refuse(reply);
        attempt.is_renamed = true;
        attempt.name = other_workload_name(attempt.name, attempt.tag);
        attempt.payload = renamed_payload(attempt.payload, attempt.name);
        break;
      default:
        attempt.may_exist = false;
        refuse(reply);
    }
  }
}

void Creation::refuse(const ApiReply& reply) const {
  throw Error(Status::failed, "Run:ai does not take the workload: " + sentence(reply.message), hint_for(reply.status));
}

// Nothing was taken: the core asks again.
Created Creation::not_answered(const Attempt& attempt) {
  const auto since = unanswered_since_.try_emplace(attempt.tag, now_()).first->second;
  if (now_() - since >= limits_.unreachable) {
    throw Error(Status::unavailable, "Run:ai takes no workload for " + std::to_string(limits_.unreachable.count()) +
                                         " s (unreachable_timeout): " + sentence(attempt.said));
  }
  return {{}, {}, "Run:ai takes no workload now: " + sentence(attempt.said)};
}

std::string Creation::look_once(const Attempt& attempt, const Patience& patience) {
  for (const Workload& workload : api_.workloads("name==" + attempt.name, patience)) {
    if (workload.name == attempt.name && !workload.is_deleted) return workload.id;
  }
  return {};
}

// The list may lag behind what was just made.
std::string Creation::look(const Attempt& attempt) {
  const auto end = now_() + times_.total;
  auto rest = times_.first_pause;
  while (true) {
    try {
      if (std::string id = look_once(attempt, {true, end}); !id.empty()) return id;
    } catch (const Error& error) {
      if (error.status() == Status::cancelled) throw;
      if (now_() >= end) {
        throw Error(Status::failed,
                    "It is not known whether Run:ai made the workload '" + attempt.name +
                        "': " + sentence(attempt.said) + " Since then: " + error.message(),
                    "Look for a workload of this name in Run:ai and delete it.");
      }
    }
    if (now_() >= end) return {};
    pause(rest, {true, end});
    rest = std::min(2 * rest, times_.longest_pause);
  }
}

}  // namespace runai
