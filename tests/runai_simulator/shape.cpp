#include "tests/runai_simulator/shape.hpp"

#include <algorithm>

#include "tests/runai_simulator/text.hpp"

namespace runai_simulator {
namespace {

using Violations = std::vector<std::string>;

// Of the text "int>=1" or "number": whether the value fits the part before ">=".
bool has_type(const Json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "bool") return value.is_boolean();
  if (type == "int") return value.is_number_integer();
  return value.is_number();
}

void check_scalar(const Json& value, const std::string& shape, const std::string& path, Violations& violations) {
  if (value.is_null() || shape == "any") return;
  if (shape.front() == '=') {
    const auto allowed = split(shape.substr(1), '|');
    const bool found =
        value.is_string() && std::find(allowed.begin(), allowed.end(), value.get<std::string>()) != allowed.end();
    if (!found) violations.push_back(path + " must be one of " + shape.substr(1));
    return;
  }
  const auto bound = shape.find(">=");
  const auto type = shape.substr(0, bound);
  if (!has_type(value, type)) {
    violations.push_back(path + " must be of type " + type);
  } else if (bound != std::string::npos && value.get<double>() < std::stod(shape.substr(bound + 2))) {
    violations.push_back(path + " must be at least " + shape.substr(bound + 2));
  }
}

void check(const Json& value, const Json& shape, const std::string& path, bool strict, Violations& violations) {
  if (shape.is_string()) {
    check_scalar(value, shape.get<std::string>(), path, violations);
  } else if (value.is_null()) {
    return;
  } else if (shape.is_array()) {
    if (!value.is_array()) {
      violations.push_back(path + " must be an array");
      return;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      check(value[i], shape[0], path + "[" + std::to_string(i) + "]", strict, violations);
    }
  } else if (!value.is_object()) {
    violations.push_back(path + " must be an object");
  } else {
    for (const auto& [key, member] : value.items()) {
      const auto inner = path.empty() ? key : path + "." + key;
      if (shape.contains(key)) {
        check(member, shape[key], inner, strict, violations);
      } else if (strict) {
        violations.push_back(inner + " is unknown");
      }
    }
  }
}

constexpr const char* container_shape = R"({
  "image": "string", "imagePullPolicy": "=Always|Never|IfNotPresent", "imagePullSecrets": [{"name": "string"}],
  "command": "string", "args": "string", "workingDir": "string", "createHomeDir": "bool", "tty": "bool", "stdin": "bool",
  "environmentVariables": [{"name": "string", "value": "string", "secret": "any", "configMap": "any", "podFieldRef": "any",
    "userCredential": "any", "exclude": "bool", "description": "string"}],
  "annotations": [{"name": "string", "value": "string", "exclude": "bool"}],
  "labels": [{"name": "string", "value": "string", "exclude": "bool"}],
  "compute": {"gpuDevicesRequest": "int>=0", "gpuRequestType": "=portion|memory", "gpuPortionRequest": "number>=0",
    "gpuPortionLimit": "number>=0", "gpuMemoryRequest": "string", "gpuMemoryLimit": "string", "cpuCoreRequest": "number>=0",
    "cpuCoreLimit": "number>=0", "cpuMemoryRequest": "string", "cpuMemoryLimit": "string", "largeShmRequest": "bool",
    "extendedResources": [{"resource": "string", "quantity": "string", "exclude": "bool"}]},
  "storage": {"pvc": [{"claimName": "string", "path": "string", "existingPvc": "bool", "readOnly": "bool", "ephemeral": "bool",
      "claimInfo": "any"}],
    "nfs": [{"server": "string", "path": "string", "mountPath": "string", "readOnly": "bool"}],
    "hostPath": [{"path": "string", "mountPath": "string", "readOnly": "bool", "mountPropagation": "string"}],
    "git": "any", "s3": "any", "configMapVolume": "any", "secretVolume": "any", "dataVolume": "any",
    "emptyDirVolume": [{"path": "string", "medium": "string", "sizeLimit": "string"}]},
  "security": {"uidGidSource": "=fromTheImage|fromIdpToken|custom", "runAsUid": "int>=0", "runAsGid": "int>=0",
    "runAsNonRoot": "bool", "supplementalGroups": "string", "allowPrivilegeEscalation": "bool", "capabilities": ["string"],
    "hostIpc": "bool", "hostNetwork": "bool", "readOnlyRootFilesystem": "bool", "seccompProfileType": "string"},
  "nodePools": ["string"], "nodeType": "string", "nodeAffinityRequired": "any", "podAffinity": {"type": "string", "key": "string"},
  "tolerations": "any", "priorityClass": "string", "preemptibility": "=preemptible|non-preemptible", "category": "string",
  "restartPolicy": "=Always|Never|OnFailure", "backoffLimit": "int>=0", "terminationGracePeriodSeconds": "int>=0",
  "terminateAfterPreemption": "bool", "autoDeletionTimeAfterCompletionSeconds": "int>=0", "ports": "any", "exposedUrls": "any",
  "relatedUrls": "any", "probes": "any"
})";

constexpr const char* distributed_shape = R"({
  "distributedFramework": "=MPI|PyTorch|TF|XGBoost|JAX", "numWorkers": "int>=1", "slotsPerWorker": "int>=1",
  "sshAuthMountPath": "string", "mpiLauncherCreationPolicy": "=AtStartup|WaitForWorkersReady",
  "cleanPodPolicy": "=None|All|Running", "minReplicas": "int>=1", "maxReplicas": "int>=1"
})";

Json made_creation_shape(bool distributed) {
  Json spec = Json::parse(container_shape);
  const Json container = spec;
  Json top{{"name", "string"},
           {"useGivenNameAsPrefix", "bool"},
           {"projectId", "string"},
           {"clusterId", "string"},
           {"templateId", "string"}};
  if (distributed) {
    spec.update(Json::parse(distributed_shape));
    top["masterSpecSameAsWorker"] = "bool";
    top["masterSpec"] = container;
  } else {
    spec["parallelism"] = "int>=1";
    spec["completions"] = "int>=1";
  }
  top["spec"] = spec;
  return top;
}

}  // namespace

std::vector<std::string> shape_violations(const Json& document, const Json& shape, bool strict) {
  Violations violations;
  check(document, shape, "", strict, violations);
  return violations;
}

const Json& creation_shape(const std::string& type) {
  static const Json training = made_creation_shape(false);
  static const Json distributed = made_creation_shape(true);
  return type == "Distributed" ? distributed : training;
}

}  // namespace runai_simulator
