// Checks documents against a shape: a JSON document that looks like the documents it allows.
//
// "string", "bool", "int", "number": of that type, or null; "int>=1": at least that; "=a|b": one of these texts; "any".
// [shape]: an array of such. An object: these keys, none of them required.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace runai_simulator {

using Json = nlohmann::json;

// A sentence for each violation, e.g. "spec.compute.gpuDevicesRequest must be at least 0". With `strict`, an unknown
// key is one.
std::vector<std::string> shape_violations(const Json& document, const Json& shape, bool strict);

// What a workload is created from: `type` is Training or Distributed.
const Json& creation_shape(const std::string& type);

}  // namespace runai_simulator
