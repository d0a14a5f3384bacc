#include "core/module/reply.hpp"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "core/module/document_text.hpp"
#include "core/support/log.hpp"

namespace cloudai::module {
namespace {

const char* name_of(cloudai_status status) {
  switch (status) {
    case CLOUDAI_INVALID_CONFIG:
      return "invalid_config";
    case CLOUDAI_INVALID_DOCUMENT:
      return "invalid_document";
    case CLOUDAI_UNSUPPORTED:
      return "unsupported";
    case CLOUDAI_UNAVAILABLE:
      return "unavailable";
    case CLOUDAI_CANCELLED:
      return "cancelled";
    case CLOUDAI_FAILED:
      return "failed";
    case CLOUDAI_INTERNAL:
      return "internal";
    default:
      return nullptr;
  }
}

// A person's mistake is told as the module words it; anything else also says where it happened.
Error reported_error(std::string_view module, std::string_view function, cloudai_status status, const Json& document) {
  std::string message = text_of(document, "message");
  if (const auto path = text_of(document, "path"); !path.empty()) message += fmt::format(" (at {})", path);
  Error error{ErrorKind::trouble, {}, text_of(document, "hint")};
  if (status == CLOUDAI_INVALID_CONFIG) {
    error.kind = ErrorKind::usage;
    error.message = fmt::format("{}: {}", module, message);
  } else {
    error.message = fmt::format("{} failed in {}(): {}", module, function, message);
  }
  return error;
}

}  // namespace

ReplySink::ReplySink() : sink_{this, &ReplySink::write} {}

void ReplySink::write(void* context, cloudai_str chunk) noexcept {
  auto& reply = *static_cast<ReplySink*>(context);
  if (chunk.data == nullptr || reply.is_too_large_) return;
  if (chunk.size > max_document_bytes - reply.text_.size()) {
    reply.is_too_large_ = true;
    return;
  }
  try {
    reply.text_.append(chunk.data, chunk.size);
  } catch (const std::bad_alloc&) {
    reply.is_too_large_ = true;
  }
}

void ReplySink::take_into(RawReply& reply) {
  reply.text = std::move(text_);
  reply.is_too_large = is_too_large_;
}

Result<Json> judge(std::string_view module, std::string_view function, const RawReply& reply) {
  if (reply.changed_directory) {
    log::warn("{} changed the working directory in {}(), which no module may do; it was changed back.", module,
              function);
  }
  if (reply.thrown) return trouble(fmt::format("{} threw {} out of {}().", module, *reply.thrown, function));
  if (reply.status != CLOUDAI_OK && name_of(reply.status) == nullptr) {
    return trouble(fmt::format("{} returned the unknown status {} from {}().", module, reply.status, function));
  }
  if (reply.is_too_large) {
    return trouble(
        fmt::format("{} wrote a reply of more than {} MiB in {}().", module, max_document_bytes >> 20, function));
  }
  if (reply.status == CLOUDAI_OK && reply.text.empty()) {
    return trouble(fmt::format("{} returned ok from {}() without a reply.", module, function));
  }
  auto document = reply.text.empty() ? tl::expected<Json, std::string>(Json::object()) : parse_document(reply.text);
  if (!document) return trouble(fmt::format("{} wrote a reply in {}() that {}.", module, function, document.error()));
  if (!document->is_object()) {
    return trouble(fmt::format("{} wrote a reply in {}() that is not a JSON object.", module, function));
  }
  if (reply.status == CLOUDAI_OK) return std::move(*document);
  if (text_of(*document, "message").empty()) {
    return trouble(
        fmt::format("{} failed in {}() with status '{}' and without a message: this is a fault of the module.", module,
                    function, name_of(reply.status)));
  }
  return tl::make_unexpected(reported_error(module, function, reply.status, *document));
}

}  // namespace cloudai::module
