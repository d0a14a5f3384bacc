// What tests of the core include, compiled once.
#pragma once

#include <gmock/gmock.h>
#include <fstream>

#include "core/precompiled.hpp"
