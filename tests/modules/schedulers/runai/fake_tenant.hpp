// Everything of the module above the network, with a tenant that answers what a test says and a clock that a test
// moves.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "fake_network.hpp"
#include "runai_api.hpp"
#include "token_source.hpp"
#include "workload_logs.hpp"

namespace runai::testing {

class FakeTenantTest : public ::testing::Test {
 protected:
  FakeTenantTest() { cloudai::host().connect(host_.get()); }
  ~FakeTenantTest() override { cloudai::host().connect(nullptr); }

  static Json entry(const std::string& id, const std::string& phase, const std::string& message = "") {
    return Json{{"id", id}, {"name", "nccl-" + id}, {"type", "Training"}, {"phase", phase}, {"phaseMessage", message}};
  }
  static HttpResult list(std::vector<Json> entries, std::optional<int> next = std::nullopt) {
    Json document = Json{{"workloads", std::move(entries)}};
    if (next) document["next"] = *next;
    return reply(200, document);
  }
  std::string log() const {
    std::string text;
    for (const auto& line : host_.log) text += line.text + "\n";
    return text;
  }

  cloudai::testing::FakeHost host_;
  cloudai::testing::TemporaryDirectory directory_;
  FakeTransport tenant_;
  SystemOptions options_ = options();
  SteadyTime now_ = std::chrono::steady_clock::now();
  RequestLog requests_;
  TokenSource tokens_{tenant_, options_, requests_, [this] { return now_; }};
  ApiClient client_{tenant_, tokens_, options_, requests_};
  RunaiApi api_{client_, options_};
  TrustedCertificates trusted_{""};
  WorkloadLogs logs_{trusted_, tenant_, tokens_, requests_, options_};
};

}  // namespace runai::testing
