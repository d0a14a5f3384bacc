#include "core/module/in_process_transport.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/module/document_text.hpp"

namespace cloudai::module {

Result<std::shared_ptr<Transport>> InProcessTransport::make(std::shared_ptr<const InProcessModule> module,
                                                            std::string_view interface_id) {
  auto calls = InterfaceCalls::make(std::move(module), interface_id);
  if (!calls) return tl::make_unexpected(std::move(calls.error()));
  return std::shared_ptr<Transport>(new InProcessTransport(std::move(*calls)));
}

Result<Json> InProcessTransport::call(std::string_view function, const Json& request) {
  const std::string& label = calls_->module().label();
  const auto text = serialise_document(request);
  if (!text) return trouble(fmt::format("the request of {}() to {} {}.", function, label, text.error()));
  return judge(label, function, calls_->call(function, *text));
}

}  // namespace cloudai::module
