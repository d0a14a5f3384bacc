#include "system_options.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "fake_network.hpp"
#include "tests/sdk/module_harness.hpp"

namespace runai {
namespace {

using cloudai::Json;
using testing::refusal;

SystemOptions read(const Json& more, bool offline = false) {
  cloudai::SystemSettings settings;
  settings.name = "tenant";
  settings.options.json = {{"base_url", "https://tenant.run.ai/"},
                           {"project_id", "4201"},
                           {"cluster_id", "6b0c5c0e-3a57-4d0b-9d55-0f6a2f8f1d11"}};
  if (!more.contains("client_id")) settings.options.json["app_id"] = "benchmark";
  settings.options.json.update(more);
  return read_system_options(settings, offline);
}

std::string refused(const Json& more) {
  return refusal([&] { read(more); }).message();
}

TEST(SystemOptionsOfRunai, HaveDefaults) {
  const SystemOptions options = read({{"app_secret", "s"}});
  EXPECT_EQ(to_text(options.base_url), "https://tenant.run.ai");
  EXPECT_EQ(options.gpus_per_node, 8);
  EXPECT_EQ(options.tasks_per_node, 8);
  EXPECT_EQ(options.log_source, LogSource::cluster_ws);
  EXPECT_EQ(options.limits.pending, std::chrono::seconds(3600));
  EXPECT_EQ(options.limits.unreachable, std::chrono::seconds(600));
  EXPECT_EQ(read({{"app_secret", "s"}, {"gpus_per_node", 0}}).tasks_per_node, 1);
  EXPECT_EQ(read({{"app_secret", "s"}, {"gpus_per_node", 4}, {"ntasks_per_node", 2}}).tasks_per_node, 2);
}

TEST(SystemOptionsOfRunai, TheSecretComesFromOnePlace) {
  const cloudai::testing::TemporaryDirectory directory;
  directory.write("secret", "of the file\n");
  ::setenv("CLOUDAI_TEST_RUNAI", "of the variable", 1);
  EXPECT_EQ(read({{"app_secret", "direct"}}).client_secret, "direct");
  EXPECT_EQ(read({{"app_secret_env", "CLOUDAI_TEST_RUNAI"}}).client_secret, "of the variable");
  EXPECT_EQ(read({{"app_secret_file", (directory.path() / "secret").string()}}).client_secret, "of the file");
  EXPECT_EQ(read({{"client_id", "b"}, {"client_secret", "c"}}).client_id, "b");
  EXPECT_EQ(refused(Json::object()), "The system file does not say where the secret of the application is.");
  EXPECT_EQ(refused({{"app_secret", "s"}, {"app_secret_env", "V"}}),
            "The system file has the secret of the application in several places.");
  EXPECT_EQ(refused({{"app_secret", "s"}, {"client_secret", "t"}}),
            "'app_secret' and 'client_secret' are the same setting, and both are there.");
  EXPECT_EQ(refused({{"app_secret_env", "CLOUDAI_NO_SUCH_VARIABLE"}}),
            "The environment variable 'CLOUDAI_NO_SUCH_VARIABLE' (app_secret_env) is not set.");
  EXPECT_EQ(refused({{"app_secret_file", "/no/such/file"}}),
            "The file '/no/such/file' (app_secret_file) cannot be read, or is empty.");
}

TEST(SystemOptionsOfRunai, ADryRunNeedsNoSecret) {
  EXPECT_EQ(read({{"app_secret_env", "CLOUDAI_NO_SUCH_VARIABLE"}}, true).client_secret, "");
}

TEST(SystemOptionsOfRunai, TheSecretIsNeverSentInTheClear) {
  EXPECT_EQ(refused({{"app_secret", "s"}, {"base_url", "http://tenant.run.ai"}}),
            "'base_url' is 'http://tenant.run.ai': the secret would be sent unencrypted.");
  EXPECT_FALSE(read({{"app_secret", "s"}, {"base_url", "http://127.0.0.1:8080"}}).base_url.is_tls);
  EXPECT_EQ(refused({{"app_secret", "s"}, {"base_url", "tenant.run.ai"}}),
            "'base_url' is 'tenant.run.ai', which is no address of a web server.");
}

TEST(SystemOptionsOfRunai, WhatIsThereTwiceOrNotAtAllIsRefused) {
  EXPECT_EQ(refused({{"app_secret", "s"}, {"ca_file", "/no/such/file"}}),
            "The file '/no/such/file' (ca_file) cannot be read.");
  const Json mount = {{"claim_name", "data"}, {"path", "/data"}};
  Json mounts = Json::array();
  mounts.push_back(mount);
  mounts.push_back(mount);
  EXPECT_EQ(refused({{"app_secret", "s"}, {"pvc_mounts", mounts}}),
            "Two entries of 'pvc_mounts' have the path '/data'.");
}

}  // namespace
}  // namespace runai
