// Export what a module provides. In one source file of it:
//
//   CLOUDAI_EXPORT_MODULE(cloudai::workload<Sleep>("Sleep"));
//
// Takes one entry for each name the manifest provides. A class given to workload or reporter has a default constructor,
// one given to scheduler has one that takes a const OpenRequest&.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "cloudai/abi/module.h"
#include "cloudai/abi/reporter.h"
#include "cloudai/abi/scheduler.h"
#include "cloudai/abi/workload.h"
#include "cloudai/detail/call.hpp"
#include "cloudai/host.hpp"
#include "cloudai/reporter.hpp"
#include "cloudai/scheduler.hpp"
#include "cloudai/workload.hpp"

// The manifest's bytes in the ELF note; cloudai_add_module() adds the source that defines it.
extern "C" __attribute__((visibility("hidden"))) const char cloudai_manifest[];

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {

// One name a module provides, and what makes the object behind it.
struct Provider {
  std::string_view interface_id;
  std::string_view name;
  const void* functions;
  std::unique_ptr<Workload> (*make_workload)() = nullptr;
  std::unique_ptr<Scheduler> (*make_scheduler)(const OpenRequest&) = nullptr;
  std::unique_ptr<Reporter> (*make_reporter)() = nullptr;
};

namespace detail {

struct ProviderList {
  const Provider* begin;
  const Provider* end;
};

ProviderList providers() noexcept;  // defined by CLOUDAI_EXPORT_MODULE

inline const Provider& provider_of(std::string_view interface_id, const Json& request) {
  const auto name = Value(request).get<std::string>("provider");
  const ProviderList list = providers();
  for (const Provider* provider = list.begin; provider != list.end; ++provider) {
    if (provider->interface_id == interface_id && provider->name == name) return *provider;
  }
  throw Error(Status::unsupported, "This module does not provide '" + name + "' (" + std::string(interface_id) + ").",
              {}, "/provider");
}

template <class Request, class Reply>
cloudai_status call_workload(Reply (Workload::*function)(const Request&) const, cloudai_str request,
                             const cloudai_sink* reply) noexcept {
  return guarded(reply, [&] {
    const Json document = parse_request(request);
    const auto object = provider_of(CLOUDAI_WORKLOAD_V1, document).make_workload();
    return Json((object.get()->*function)(from_json<Request>(document)));
  });
}

// `body` gets the scheduler and the request's document, and returns the reply's.
template <class Body>
cloudai_status call_scheduler(void* instance, cloudai_str request, const cloudai_sink* reply, Body&& body) noexcept {
  return guarded(reply, [&]() -> Json { return body(*static_cast<Scheduler*>(instance), parse_request(request)); });
}

inline cloudai_status open_scheduler(cloudai_str request, const cloudai_sink* reply, void** instance) noexcept {
  std::unique_ptr<Scheduler> scheduler;
  const cloudai_status status = guarded(reply, [&] {
    const Json document = parse_request(request);
    scheduler = provider_of(CLOUDAI_SCHEDULER_V1, document).make_scheduler(from_json<OpenRequest>(document));
    return Json(scheduler->facts());
  });
  if (status == CLOUDAI_OK) *instance = scheduler.release();
  return status;
}

inline constexpr cloudai_workload_v1 workload_functions = {
    sizeof(cloudai_workload_v1),
    [](void*, cloudai_str request, const cloudai_sink* reply) {
      return call_workload(&Workload::requirements, request, reply);
    },
    [](void*, cloudai_str request, const cloudai_sink* reply) {
      return call_workload(&Workload::plan, request, reply);
    },
    [](void*, cloudai_str request, const cloudai_sink* reply) {
      return call_workload(&Workload::evaluate, request, reply);
    },
};

inline constexpr cloudai_scheduler_v1 scheduler_functions = {
    sizeof(cloudai_scheduler_v1),
    open_scheduler,
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        return Json(scheduler.provision(from_json<ProvisionRequest>(document)));
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        return Json(scheduler.allocate(from_json<AllocateRequest>(document)));
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        return Json(scheduler.render(from_json<Job>(document)));
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        return Json(scheduler.submit(from_json<SubmitRequest>(document)));
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        return Json(scheduler.poll(Value(document).get<std::vector<std::string>>("ids")));
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        Json result = Json::object();
        const auto ids = Value(document).get<std::vector<std::string>>("ids");
        const bool main_only = Value(document).get_or<std::string>("stage", {}) == "main";
        result["not_cancelled"] = main_only ? scheduler.end_main(ids) : scheduler.cancel(ids);
        return result;
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        return Json(scheduler.collect(Value(document).get<std::string>("id")));
      });
    },
    [](void* instance, cloudai_str request, const cloudai_sink* reply) {
      return call_scheduler(instance, request, reply, [](Scheduler& scheduler, const Json& document) {
        Json result = Json::object();
        put_if(result, "id", scheduler.find(from_json<FindRequest>(document)));
        return result;
      });
    },
    [](void* instance) { delete static_cast<Scheduler*>(instance); },
};

inline constexpr cloudai_reporter_v1 reporter_functions = {
    sizeof(cloudai_reporter_v1),
    [](void*, cloudai_str request, const cloudai_sink* reply) {
      return guarded(reply, [&] {
        const Json document = parse_request(request);
        const auto object = provider_of(CLOUDAI_REPORTER_V1, document).make_reporter();
        return Json(object->write(from_json<ReportRequest>(document)));
      });
    },
};

inline cloudai_status initialise(const cloudai_host* host, const cloudai_sink*) noexcept {
  cloudai::host().connect(host);
  return CLOUDAI_OK;
}

inline void deinitialise() noexcept {
  cloudai::host().connect(nullptr);
}

inline const void* find_interface(cloudai_str id) noexcept {
  const ProviderList list = providers();
  for (const Provider* provider = list.begin; provider != list.end; ++provider) {
    if (provider->interface_id == view(id)) return provider->functions;
  }
  return nullptr;
}

}  // namespace detail

template <class T>
constexpr Provider workload(std::string_view name) {
  Provider provider{CLOUDAI_WORKLOAD_V1, name, &detail::workload_functions};
  provider.make_workload = []() -> std::unique_ptr<Workload> { return std::make_unique<T>(); };
  return provider;
}

template <class T>
constexpr Provider scheduler(std::string_view name) {
  Provider provider{CLOUDAI_SCHEDULER_V1, name, &detail::scheduler_functions};
  provider.make_scheduler = [](const OpenRequest& request) -> std::unique_ptr<Scheduler> {
    return std::make_unique<T>(request);
  };
  return provider;
}

template <class T>
constexpr Provider reporter(std::string_view name) {
  Provider provider{CLOUDAI_REPORTER_V1, name, &detail::reporter_functions};
  provider.make_reporter = []() -> std::unique_ptr<Reporter> { return std::make_unique<T>(); };
  return provider;
}

}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop

#define CLOUDAI_EXPORT_MODULE(...)                                                                      \
  cloudai::detail::ProviderList cloudai::detail::providers() noexcept {                                 \
    static constexpr cloudai::Provider list[] = {__VA_ARGS__};                                          \
    return {list, list + sizeof(list) / sizeof(list[0])};                                               \
  }                                                                                                     \
  extern "C" __attribute__((visibility("default"))) const cloudai_module_entry cloudai_module_entry_v0; \
  extern "C" const cloudai_module_entry cloudai_module_entry_v0 = {                                     \
      sizeof(cloudai_module_entry),   CLOUDAI_ABI_MAJOR,                                                \
      CLOUDAI_MANIFEST_ABI_MINOR,     {cloudai_manifest, CLOUDAI_MANIFEST_SIZE},                        \
      cloudai::detail::initialise,    cloudai::detail::deinitialise,                                    \
      cloudai::detail::find_interface}
