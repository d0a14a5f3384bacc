// Where the output of workloads is fetched: the API of the cluster they run on.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "connection.hpp"
#include "log_stream.hpp"
#include "request_log.hpp"
#include "runai_api.hpp"
#include "token_source.hpp"

namespace runai {

class WorkloadLogs {
 public:
  WorkloadLogs(TrustedCertificates& trusted, HttpTransport& transport, TokenSource& tokens, RequestLog& log,
               const SystemOptions& options)
      : trusted_(trusted), transport_(transport), tokens_(tokens), log_(log), options_(options) {}

  // What the tenant says of project and cluster.
  void use(const Tenant& tenant);

  // Follows the output into a file from now on. Null where it is not followed: that is not asked for, or cannot be.
  std::unique_ptr<LogStream> follow(WorkloadKind kind, const std::string& name, const std::filesystem::path& file);

  // The output of a workload that has ended, whole in `file`: what `stream`, if there is one, has not got is fetched.
  // Returns why it is not known to be whole; empty if it is.
  std::string finish(LogStream* stream, WorkloadKind kind, const std::string& name, const std::filesystem::path& file);

 private:
  std::string download(WorkloadKind kind, const std::string& name, LogText& text);
  std::string path_of(WorkloadKind kind, const std::string& name) const;

  TrustedCertificates& trusted_;
  HttpTransport& transport_;
  TokenSource& tokens_;
  RequestLog& log_;
  const SystemOptions& options_;
  std::optional<Url> cluster_;
  std::string project_;
  std::string trouble_;  // why there is no address
};

}  // namespace runai
