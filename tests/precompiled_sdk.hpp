// What tests of the SDK and of modules include, compiled once.
#pragma once

#include <gmock/gmock.h>

#include "cloudai/documents/reporter.hpp"
#include "modules/precompiled.hpp"
#include "tests/sdk/module_harness.hpp"
