#include "real_host.hpp"

#include <string_view>

#include "core/module/host_context.hpp"
#include "core/module/process_service.hpp"

namespace standalone::testing {

const cloudai_host* real_host() {
  static const std::atomic<bool> cancelled{false};
  static cloudai::module::ProcessService service(cancelled);
  static cloudai::module::HostContext context{&service, "cloudai.standalone", &cancelled};
  static const cloudai_host host{sizeof(cloudai_host),
                                 CLOUDAI_ABI_MINOR,
                                 &context,
                                 [](void*, int32_t, cloudai_str) {},
                                 [](void*) -> int32_t { return 0; },
                                 [](void*, cloudai_str id) -> const void* {
                                   const bool is_process =
                                       std::string_view(id.data, id.size) == CLOUDAI_HOST_PROCESS_V1;
                                   return is_process ? service.interface() : nullptr;
                                 }};
  return &host;
}

}  // namespace standalone::testing
