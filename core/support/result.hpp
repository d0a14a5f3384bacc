// What a core function returns when it can go wrong: a value or an Error. The core throws nothing of its own.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace cloudai {

// What kind of trouble it is; decides the exit status of the program.
enum class ErrorKind {
  usage,           // a wrong option or configuration: exit status 2
  trouble,         // a scheduler, a module or the machine did not do its part: exit status 3
  module_crashed,  // likewise: the process of a module ended before it had answered
  module_gone,     // likewise: it did so too often, and is not started again
};

struct Error {
  ErrorKind kind = ErrorKind::trouble;
  std::string message;  // one or more complete sentences for the person at the terminal
  std::string hint;     // what to do about it, or empty
};

inline bool is_crash(const Error& error) {
  return error.kind == ErrorKind::module_crashed || error.kind == ErrorKind::module_gone;
}

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> usage_error(std::string message, std::string hint = {}) {
  return tl::make_unexpected(Error{ErrorKind::usage, std::move(message), std::move(hint)});
}

inline tl::unexpected<Error> trouble(std::string message, std::string hint = {}) {
  return tl::make_unexpected(Error{ErrorKind::trouble, std::move(message), std::move(hint)});
}

}  // namespace cloudai
