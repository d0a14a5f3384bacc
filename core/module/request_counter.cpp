#include "core/module/request_counter.hpp"

#include "core/module/host_context.hpp"

namespace cloudai::module {

const cloudai_host_counter_v1* RequestCounter::interface() {
  static constexpr cloudai_host_counter_v1 functions{
      sizeof(cloudai_host_counter_v1), [](void* context, cloudai_str what) {
        if (what.size > 0) static_cast<const HostContext*>(context)->requests->count({what.data, what.size});
      }};
  return &functions;
}

void RequestCounter::count(std::string_view what) {
  const std::lock_guard lock(mutex_);
  ++counts_[std::string(what)];
}

std::map<std::string, std::size_t> RequestCounter::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace cloudai::module
