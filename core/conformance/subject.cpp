#include "core/conformance/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cloudai/abi/scheduler.h"
#include "core/module/document_text.hpp"
#include "core/module/guarded.hpp"
#include "core/module/interface_table.hpp"
#include "core/module/preflight.hpp"
#include "core/module/reply.hpp"

namespace cloudai::conformance {
namespace {

std::string request_text(std::string_view function, const std::string& situation) {
  return situation.empty() ? fmt::format("{}()", function) : fmt::format("{}() {}", function, situation);
}

Answer judged(std::string_view module, const std::string& call, const module::RawReply& reply) {
  Answer answer{reply.status, {}, reply.text, std::nullopt};
  // The name of the call is part of every sentence, its parentheses are the judge's.
  auto document = module::judge(module, call.substr(0, call.find("()")), reply);
  if (document) {
    answer.document = std::move(*document);
    return answer;
  }
  if (reply.status > CLOUDAI_OK && reply.status <= CLOUDAI_INTERNAL) {
    const auto error = module::parse_document(reply.text);
    const bool is_told = error && error->is_object() && !text_of(*error, "message").empty();
    if (is_told) answer.document = *error;
    if (is_told) return answer;
  }
  const std::string situation = call.substr(std::min(call.find("()") + 2, call.size()));
  answer.fault = document.error().message + (situation.empty() ? "" : " This was" + situation + ".");
  return answer;
}

}  // namespace

Subject::Subject(const Context& context, module::ModuleFile file) : context_(context), file_(std::move(file)) {}

Result<std::unique_ptr<Subject>> Subject::load(const Context& context) {
  auto file = module::preflight(context.file);
  if (!file) return trouble(file.error().reason);
  std::unique_ptr<Subject> subject(new Subject(context, std::move(*file)));
  context.now("the loading of the file or init()");
  auto module = module::InProcessModule::load(subject->file_, *subject->cluster_.host());
  if (!module) return tl::make_unexpected(module.error());
  subject->module_ = std::move(*module);
  return subject;
}

Answer Subject::call(std::string_view interface_id, std::string_view function, std::string_view request,
                     const std::string& situation, void* instance) {
  const std::string call = request_text(function, situation);
  const module::InterfaceTable* table = module::interface_table(interface_id);
  const auto vtable = module_->vtable(*table);
  if (!vtable) return {CLOUDAI_INTERNAL, {}, {}, vtable.error().message};
  context_.now(call);
  module::ReplySink sink;
  module::RawReply reply;
  const cloudai_call function_pointer = module::call_of(*table, *vtable, function);
  const auto thrown = module::guarded([&] {
    reply.status = function_pointer(instance, {request.data(), request.size()}, sink.sink());
  });
  if (thrown) return {CLOUDAI_INTERNAL, {}, {}, fmt::format("{} threw {} out of {}.", module_->label(), *thrown, call)};
  sink.take_into(reply);
  return judged(module_->label(), call, reply);
}

Answer Subject::open(std::string_view request, const std::string& situation, void** instance) {
  const std::string call = request_text("open", situation);
  const auto vtable = module_->vtable(*module::interface_table(module::scheduler_interface));
  if (!vtable) return {CLOUDAI_INTERNAL, {}, {}, vtable.error().message};
  context_.now(call);
  module::ReplySink sink;
  module::RawReply reply;
  const auto* scheduler = static_cast<const cloudai_scheduler_v1*>(*vtable);
  const auto thrown = module::guarded([&] {
    reply.status = scheduler->open({request.data(), request.size()}, sink.sink(), instance);
  });
  if (thrown) return {CLOUDAI_INTERNAL, {}, {}, fmt::format("{} threw {} out of {}.", module_->label(), *thrown, call)};
  sink.take_into(reply);
  return judged(module_->label(), call, reply);
}

void Subject::close(void* instance) {
  const auto vtable = module_->vtable(*module::interface_table(module::scheduler_interface));
  if (!vtable) return;
  context_.now("close()");
  module::guarded([&] { static_cast<const cloudai_scheduler_v1*>(*vtable)->close(instance); });
}

}  // namespace cloudai::conformance
