// The interfaces that the host offers, as data: what crosses to a module in a child process, and back.
#pragma once

#include <span>

#include "core/module/interface_table.hpp"

namespace cloudai::module {

// Every host interface whose members all are a cloudai_call, with the host's context as their instance. One that is in
// this list is offered to modules in a child process, too.
std::span<const InterfaceTable> host_interfaces();

}  // namespace cloudai::module
