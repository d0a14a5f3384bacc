// Both directions of a call across the boundary.
#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "cloudai/abi/base.h"
#include "cloudai/documents/value.hpp"
#include "cloudai/error.hpp"

#pragma GCC visibility push(hidden)
namespace cloudai {
inline namespace v0 {
namespace detail {

inline std::string_view view(cloudai_str text) {
  return {text.data, text.size};
}

inline Json parse_request(cloudai_str request) {
  // Without exceptions, a text that is no JSON becomes the value `discarded`.
  Json json = Json::parse(view(request), nullptr, false);
  if (json.is_discarded()) throw Error(Status::invalid_document, "The request is not JSON.");
  return json;
}

// Bytes that are no UTF-8 (a reason may quote garbled output) become U+FFFD.
inline std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline void write(const cloudai_sink* reply, std::string_view text) {
  reply->write(reply->context, {text.data(), text.size()});
}

inline cloudai_status write_error(const cloudai_sink* reply, const Error& error) {
  Json document = Json::object();
  document["message"] = error.message();
  put_unless_empty(document, "hint", error.hint());
  put_unless_empty(document, "path", error.path());
  if (error.status() == Status::unavailable) document["retryable"] = true;
  write(reply, dump(document));
  return static_cast<cloudai_status>(error.status());
}

template <class Body>
cloudai_status guarded_once(const cloudai_sink* reply, Body&& body) {
  try {
    write(reply, dump(body()));
    return CLOUDAI_OK;
  } catch (const Error& error) {
    return write_error(reply, error);
  } catch (const std::exception& exception) {
    return write_error(reply, Error(Status::internal, exception.what()));
  } catch (...) {
    return write_error(reply, Error(Status::internal, "Something that is no std::exception was thrown."));
  }
}

// Runs the body of a call that the host makes. No exception leaves it, not even when there is no memory to describe
// one.
template <class Body>
cloudai_status guarded(const cloudai_sink* reply, Body&& body) noexcept {
  try {
    return guarded_once(reply, body);
  } catch (...) {
    write(reply, R"({"message": "The module ran out of memory."})");
    return CLOUDAI_INTERNAL;
  }
}

// Calls a function of the host; its error document becomes an Error.
inline Json call_function(cloudai_call function, void* instance, const Json& request) {
  const std::string text = dump(request);
  std::string reply;
  const cloudai_sink sink{&reply, [](void* context, cloudai_str chunk) {
                            static_cast<std::string*>(context)->append(chunk.data, chunk.size);
                          }};
  const cloudai_status status = function(instance, {text.data(), text.size()}, &sink);
  Json json = Json::parse(reply, nullptr, false);
  if (status == CLOUDAI_OK && !json.is_discarded()) return json;
  if (status == CLOUDAI_OK || !json.is_object()) {
    throw Error(Status::internal, "The reply is not JSON: '" + reply.substr(0, 200) + "'.");
  }
  const Value error(json);
  throw Error(static_cast<Status>(status), error.get<std::string>("message"), error.get_or<std::string>("hint", {}));
}

}  // namespace detail
}  // namespace v0
}  // namespace cloudai
#pragma GCC visibility pop
