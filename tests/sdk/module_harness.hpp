// What a test needs to use a module without the core: a host of its own, and calls on a built .so.
#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cloudai/abi/host_counter.h"
#include "cloudai/abi/host_process.h"
#include "cloudai/abi/module.h"
#include "cloudai/abi/reporter.h"
#include "cloudai/abi/scheduler.h"
#include "cloudai/abi/workload.h"
#include "cloudai/detail/call.hpp"
#include "cloudai/documents/workload.hpp"

namespace cloudai::testing {

// A host that keeps what is logged and answers commands from a function of the test. For a class of a module that is
// tested directly: `cloudai::host().connect(fake_host.get())`.
class FakeHost {
 public:
  struct LogLine {
    int level;
    std::string text;
  };

  std::vector<LogLine> log;
  bool cancelled = false;
  std::map<std::string, int> requests;  // how many of each kind were counted
  // Answers "run", "spawn_detached", "inspect" and "terminate" of cloudai.host.process/1. May throw cloudai::Error.
  std::function<Json(const std::string& function, const Json& request)> on_process;
  std::vector<std::pair<std::string, Json>> process_calls;  // every one of them, in order

  FakeHost() {
    host_.struct_size = sizeof host_;
    host_.abi_minor = CLOUDAI_ABI_MINOR;
    host_.context = this;
    host_.log = [](void* self, int32_t level, cloudai_str message) {
      auto* host = static_cast<FakeHost*>(self);
      const std::lock_guard lock(host->log_mutex_);
      host->log.push_back({level, std::string(detail::view(message))});
    };
    host_.is_cancelled = [](void* self) -> int32_t { return static_cast<FakeHost*>(self)->cancelled ? 1 : 0; };
    host_.get_interface = [](void* self, cloudai_str id) -> const void* {
      const auto* host = static_cast<FakeHost*>(self);
      if (detail::view(id) == CLOUDAI_HOST_COUNTER_V1) return &host->counter_;
      return host->on_process && detail::view(id) == CLOUDAI_HOST_PROCESS_V1 ? &host->process_ : nullptr;
    };
    counter_.struct_size = sizeof counter_;
    counter_.count = [](void* self, cloudai_str what) {
      ++static_cast<FakeHost*>(self)->requests[std::string(detail::view(what))];
    };
    process_.struct_size = sizeof process_;
    process_.run = [](void* self, cloudai_str in, const cloudai_sink* out) { return process(self, "run", in, out); };
    process_.spawn_detached = [](void* self, cloudai_str in, const cloudai_sink* out) {
      return process(self, "spawn_detached", in, out);
    };
    process_.inspect = [](void* self, cloudai_str in, const cloudai_sink* out) {
      return process(self, "inspect", in, out);
    };
    process_.terminate = [](void* self, cloudai_str in, const cloudai_sink* out) {
      return process(self, "terminate", in, out);
    };
  }
  FakeHost(const FakeHost&) = delete;
  FakeHost& operator=(const FakeHost&) = delete;

  const cloudai_host* get() const { return &host_; }

 private:
  static cloudai_status process(void* self, const char* function, cloudai_str request, const cloudai_sink* reply) {
    return detail::guarded(reply, [&] {
      auto* host = static_cast<FakeHost*>(self);
      const Json document = detail::parse_request(request);
      host->process_calls.emplace_back(function, document);
      return host->on_process(function, document);
    });
  }

  cloudai_host host_{};
  cloudai_host_process_v1 process_{};
  cloudai_host_counter_v1 counter_{};
  std::mutex log_mutex_;  // a module may log from threads of its own
};

struct Reply {
  cloudai_status status = CLOUDAI_OK;
  std::string text;  // exactly what the module wrote

  Json json() const { return Json::parse(text); }
  std::string message() const { return json().at("message").get<std::string>(); }
};

// A loaded module, initialised with `host`. Calls name the interface's function by its member in the ABI struct.
class LoadedModule {
 public:
  LoadedModule(const std::filesystem::path& file, const FakeHost& host)
      : library_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
    entry_ = static_cast<const cloudai_module_entry*>(::dlsym(library_, CLOUDAI_MODULE_ENTRY_SYMBOL));
    if (entry_ == nullptr) throw std::runtime_error(file.string() + " has no module entry");
    std::string reply;
    const cloudai_sink sink = sink_to(reply);
    if (entry_->init(host.get(), &sink) != CLOUDAI_OK) throw std::runtime_error("init failed: " + reply);
  }
  ~LoadedModule() { entry_->deinit(); }
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;

  const cloudai_module_entry& entry() const { return *entry_; }
  std::string manifest() const { return std::string(detail::view(entry_->manifest)); }

  // The vtable of an interface, or null: module.interface<cloudai_workload_v1>(CLOUDAI_WORKLOAD_V1)->plan.
  template <class Functions>
  const Functions* interface(std::string_view id) const {
    return static_cast<const Functions*>(entry_->get_interface({id.data(), id.size()}));
  }

  static Reply call(cloudai_call function, void* instance, const Json& request) {
    return call_text(function, instance, request.dump());
  }

  // Sends `request` as it is, be it JSON or not.
  static Reply call_text(cloudai_call function, void* instance, std::string_view request) {
    Reply reply;
    const cloudai_sink sink = sink_to(reply.text);
    reply.status = function(instance, {request.data(), request.size()}, &sink);
    return reply;
  }

  Reply requirements(const Json& test) const { return call(workload()->requirements, nullptr, test); }
  Reply plan(const Json& run) const { return call(workload()->plan, nullptr, run); }
  Reply evaluate(const Json& stage) const { return call(workload()->evaluate, nullptr, stage); }
  Reply write(const Json& request) const {
    return call(interface<cloudai_reporter_v1>(CLOUDAI_REPORTER_V1)->write, nullptr, request);
  }

  // Opens a scheduler; `instance` is for the other calls of interface<cloudai_scheduler_v1>(), closed with its `close`.
  Reply open(const Json& request, void** instance) const {
    Reply reply;
    const std::string text = request.dump();
    const cloudai_sink sink = sink_to(reply.text);
    reply.status = scheduler()->open({text.data(), text.size()}, &sink, instance);
    return reply;
  }

  const cloudai_workload_v1* workload() const { return interface<cloudai_workload_v1>(CLOUDAI_WORKLOAD_V1); }
  const cloudai_scheduler_v1* scheduler() const { return interface<cloudai_scheduler_v1>(CLOUDAI_SCHEDULER_V1); }

 private:
  static cloudai_sink sink_to(std::string& text) {
    return {&text, [](void* context, cloudai_str chunk) {
              static_cast<std::string*>(context)->append(chunk.data, chunk.size);
            }};
  }

  void* library_;  // never closed: modules are never unmapped
  const cloudai_module_entry* entry_ = nullptr;
};

// A directory that is removed with what is in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "cloudai-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
    path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
  }

 private:
  std::filesystem::path path_;
};

// Requests with everything a workload may look at, for a test to change.
inline TestRequest test_request(const std::string& provider, Json cmd_args) {
  TestRequest request;
  request.provider = provider;
  request.test.name = "a_test";
  request.test.test_template_name = provider;
  request.test.cmd_args.json = std::move(cmd_args);
  request.system.name = "a_system";
  request.system.install_path = "/install";
  return request;
}

inline RunRequest run_request(const std::string& provider, Json cmd_args,
                              const std::filesystem::path& directory = "/run") {
  RunRequest request;
  static_cast<TestRequest&>(request) = test_request(provider, std::move(cmd_args));
  request.case_id = "Tests.1";
  request.stage = {StageKind::main, "a_test", directory.string(), std::nullopt};
  request.nodes = {1, {"node001"}};
  request.run_directory = directory.string();
  return request;
}

// The stage of `run` that ended with `exit_status`; `plan` is the workload's.
inline StageRequest stage_request(const RunRequest& run, Plan plan, int exit_status = 0) {
  StageRequest stage;
  static_cast<RunRequest&>(stage) = run;
  stage.plan = std::move(plan);
  stage.result.kind = run.stage.kind;
  stage.result.name = run.stage.name;
  stage.result.exit_status = exit_status;
  return stage;
}

}  // namespace cloudai::testing
