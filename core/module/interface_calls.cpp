#include "core/module/interface_calls.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "cloudai/abi/scheduler.h"
#include "core/module/descriptor.hpp"
#include "core/module/guarded.hpp"

namespace cloudai::module {
namespace {

// The working directory belongs to the whole process, and relative paths of the user's lead from there.
class WorkingDirectory {
 public:
  WorkingDirectory() : before_(::open(".", O_PATH | O_CLOEXEC | O_DIRECTORY)) {}

  // Whether it is another one now; then it is changed back.
  bool was_changed() const {
    struct stat before {};
    struct stat now {};
    if (before_.get() < 0 || ::fstat(before_.get(), &before) != 0 || ::stat(".", &now) != 0) return false;
    if (before.st_dev == now.st_dev && before.st_ino == now.st_ino) return false;
    return ::fchdir(before_.get()) == 0;
  }

 private:
  Descriptor before_;
};

}  // namespace

Result<std::unique_ptr<InterfaceCalls>> InterfaceCalls::make(std::shared_ptr<const InProcessModule> module,
                                                             std::string_view interface_id) {
  const InterfaceTable* table = interface_table(interface_id);
  if (table == nullptr) return trouble(fmt::format("this cloudai does not know the interface '{}'.", interface_id));
  const auto vtable = module->vtable(*table);
  if (!vtable) return tl::make_unexpected(vtable.error());
  return std::unique_ptr<InterfaceCalls>(new InterfaceCalls(std::move(module), *table, *vtable));
}

InterfaceCalls::InterfaceCalls(std::shared_ptr<const InProcessModule> module, const InterfaceTable& table,
                               const void* vtable)
    : module_(std::move(module)), table_(table), vtable_(vtable) {}

InterfaceCalls::~InterfaceCalls() {
  if (is_open_) guarded([&] { static_cast<const cloudai_scheduler_v1*>(vtable_)->close(instance_); });
}

RawReply InterfaceCalls::call(std::string_view function, std::string_view request) {
  const bool is_opening = table_.id == CLOUDAI_SCHEDULER_V1 && function == "open" && !is_open_;
  const cloudai_call entry_point = call_of(table_, vtable_, function);
  RawReply reply;
  if (!is_opening && entry_point == nullptr) {
    reply.text = Json{{"message", fmt::format("{} has no call '{}' to make now.", table_.id, function)}}.dump();
    return reply;
  }
  ReplySink sink;
  const cloudai_str borrowed{request.data(), request.size()};
  const WorkingDirectory directory;
  reply.thrown = guarded([&] {
    reply.status = is_opening
                       ? static_cast<const cloudai_scheduler_v1*>(vtable_)->open(borrowed, sink.sink(), &instance_)
                       : entry_point(instance_, borrowed, sink.sink());
  });
  reply.changed_directory = directory.was_changed();
  sink.take_into(reply);
  if (is_opening) is_open_ = !reply.thrown && reply.status == CLOUDAI_OK;
  return reply;
}

}  // namespace cloudai::module
