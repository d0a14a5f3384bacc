#include "core/module/in_process_transport.hpp"

#include <fmt/format.h>

#include <utility>

#include "cloudai/abi/scheduler.h"
#include "core/module/document_text.hpp"
#include "core/module/guarded.hpp"
#include "core/module/reply.hpp"

namespace cloudai::module {

Result<std::shared_ptr<Transport>> InProcessTransport::make(std::shared_ptr<const InProcessModule> module,
                                                            std::string_view interface_id) {
  const InterfaceTable* table = interface_table(interface_id);
  if (table == nullptr) return trouble(fmt::format("this cloudai does not know the interface '{}'.", interface_id));
  const auto vtable = module->vtable(*table);
  if (!vtable) return tl::make_unexpected(vtable.error());
  return std::shared_ptr<Transport>(new InProcessTransport(std::move(module), *table, *vtable));
}

InProcessTransport::InProcessTransport(std::shared_ptr<const InProcessModule> module, const InterfaceTable& table,
                                       const void* vtable)
    : module_(std::move(module)), table_(table), vtable_(vtable) {}

InProcessTransport::~InProcessTransport() {
  if (is_open_) guarded([&] { static_cast<const cloudai_scheduler_v1*>(vtable_)->close(instance_); });
}

Result<Json> InProcessTransport::call(std::string_view function, const Json& request) {
  const auto text = serialise_document(request);
  if (!text) return trouble(fmt::format("the request of {}() to {} {}.", function, module_->label(), text.error()));

  const bool is_opening = table_.id == CLOUDAI_SCHEDULER_V1 && function == "open" && !is_open_;
  const cloudai_call entry_point = call_of(table_, vtable_, function);
  if (!is_opening && entry_point == nullptr) {
    return trouble(fmt::format("{} has no call '{}' to make now.", table_.id, function));
  }
  ReplySink reply;
  cloudai_status status = CLOUDAI_INTERNAL;
  const cloudai_str borrowed{text->data(), text->size()};
  const auto thrown = guarded([&] {
    status = is_opening ? static_cast<const cloudai_scheduler_v1*>(vtable_)->open(borrowed, reply.sink(), &instance_)
                        : entry_point(instance_, borrowed, reply.sink());
  });
  if (thrown) return trouble(fmt::format("{} threw {} out of {}().", module_->label(), *thrown, function));
  if (is_opening) is_open_ = status == CLOUDAI_OK;
  return judge(module_->label(), function, status, reply);
}

}  // namespace cloudai::module
