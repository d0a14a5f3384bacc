#include "core/conformance/scripted_cluster.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace cloudai::conformance {
namespace {

void write(const cloudai_sink* reply, const Json& document) {
  const std::string text = document.dump();
  reply->write(reply->context, {text.data(), text.size()});
}

Json parsed(cloudai_str request) {
  return Json::parse(std::string_view(request.data, request.size), nullptr, false);
}

Json run_reply(Mood mood) {
  Json reply = {{"exit_status", 0}, {"stdout", ""}, {"stderr", ""}, {"timed_out", false}, {"seconds", 0.01}};
  if (mood == Mood::number) reply["stdout"] = "4711\n";
  if (mood == Mood::garbage) reply["stdout"] = "\x01{[ no such thing \xef\xbf\xbd\n|||\t-1\n";
  if (mood == Mood::fails) {
    reply["exit_status"] = 1;
    reply["stderr"] = "error: the cluster does not answer\n";
  }
  if (mood == Mood::hangs) {
    reply.erase("exit_status");
    reply.update({{"signal", 9}, {"timed_out", true}, {"seconds", 60}});
  }
  return reply;
}

cloudai_status refuse(const cloudai_sink* reply, const std::string& message) {
  write(reply, Json::object({{"message", message}}));
  return CLOUDAI_FAILED;
}

}  // namespace

struct ScriptedCalls {
  static ScriptedCluster& cluster(void* context) { return *static_cast<ScriptedCluster*>(context); }

  static void log(void*, std::int32_t, cloudai_str) {}
  static std::int32_t is_cancelled(void*) { return 0; }
  static const void* get_interface(void* context, cloudai_str id) {
    const bool is_known = std::string_view(id.data, id.size) == CLOUDAI_HOST_PROCESS_V1;
    return is_known ? &cluster(context).processes_ : nullptr;
  }

  static cloudai_status run(void* context, cloudai_str, const cloudai_sink* reply) {
    ++cluster(context).commands_;
    if (cluster(context).mood_ == Mood::absent) return refuse(reply, "The command cannot be started: it is not there.");
    write(reply, run_reply(cluster(context).mood_));
    return CLOUDAI_OK;
  }

  static cloudai_status spawn_detached(void* context, cloudai_str, const cloudai_sink* reply) {
    ++cluster(context).commands_;
    // What is started detached hangs only later.
    if (!cluster(context).works()) return refuse(reply, "The command cannot be started: it is not there.");
    write(reply, {{"pid", 4711}, {"start_time", "12345-0a1b2c3d"}});
    return CLOUDAI_OK;
  }

  static cloudai_status for_each_process(cloudai_str request, const cloudai_sink* reply, const Json& answer) {
    const Json document = parsed(request);
    Json answers = Json::array();
    const Json processes = document.is_object() ? document.value("processes", Json::array()) : Json::array();
    for (std::size_t i = 0; i < processes.size(); ++i) answers.push_back(answer);
    write(reply, Json::object({{"processes", std::move(answers)}}));
    return CLOUDAI_OK;
  }

  static cloudai_status inspect(void* context, cloudai_str request, const cloudai_sink* reply) {
    const bool hangs = cluster(context).mood_ == Mood::hangs;
    return for_each_process(
        request, reply, hangs ? Json::object({{"alive", true}}) : Json::object({{"alive", false}, {"exit_status", 0}}));
  }

  static cloudai_status terminate(void* context, cloudai_str request, const cloudai_sink* reply) {
    if (cluster(context).works()) return for_each_process(request, reply, {{"ended", true}, {"signalled", 1}});
    return for_each_process(request, reply, {{"ended", false}, {"signalled", 0}, {"message", "It does not end."}});
  }
};

const char* described(Mood mood) {
  switch (mood) {
    case Mood::silent:
      return "where every command prints nothing";
    case Mood::number:
      return "where every command prints a number";
    case Mood::garbage:
      return "where every command prints garbage";
    case Mood::fails:
      return "where every command fails";
    case Mood::hangs:
      return "where every command hangs";
    case Mood::absent:
      return "where no command can be started";
  }
  return "";
}

ScriptedCluster::ScriptedCluster() {
  host_ = {sizeof host_,
           CLOUDAI_ABI_MINOR,
           this,
           &ScriptedCalls::log,
           &ScriptedCalls::is_cancelled,
           &ScriptedCalls::get_interface};
  processes_ = {sizeof processes_, &ScriptedCalls::run, &ScriptedCalls::spawn_detached, &ScriptedCalls::inspect,
                &ScriptedCalls::terminate};
}

std::size_t ScriptedCluster::take_command_count() {
  return std::exchange(commands_, 0);
}

}  // namespace cloudai::conformance
