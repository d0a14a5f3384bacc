#include "workload_logs.hpp"

#include "cloudai/error.hpp"
#include "cloudai/host.hpp"

namespace runai {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int unauthorised = 401;
constexpr seconds download_limit{120};
constexpr std::size_t largest_log = std::size_t{256} << 20U;
constexpr int download_attempts = 3;

}  // namespace

void WorkloadLogs::use(const Tenant& tenant) {
  project_ = tenant.project_name;
  cluster_ = parse_domain(tenant.cluster_domain);
  if (options_.log_source == LogSource::none) {
    trouble_ = "'log_source' is \"none\"";
  } else if (project_.empty()) {
    trouble_ = "the name of the project is not known";
  } else if (!cluster_) {
    trouble_ = tenant.cluster_domain.empty() ? "the cluster has no domain in Run:ai"
                                             : "the cluster's domain, '" + tenant.cluster_domain + "', is no address";
  } else if (!cluster_->is_tls && !is_loopback(*cluster_)) {
    trouble_ = "the cluster's domain, '" + tenant.cluster_domain + "', would get the token unencrypted";
    cluster_.reset();
  } else {
    trouble_.clear();
  }
}

std::string WorkloadLogs::path_of(WorkloadKind kind, const std::string& name) const {
  std::string framework = options_.cluster_api_framework;
  if (framework.empty()) framework = kind == WorkloadKind::training ? "runai" : "mpi";
  return cluster_->path + "/cluster-api/api/v1/" + percent_encoded(project_) + "/workloads/training/" + framework +
         "/" + percent_encoded(name) + "/logs";
}

std::unique_ptr<LogStream> WorkloadLogs::follow(WorkloadKind kind, const std::string& name,
                                                const std::filesystem::path& file) {
  if (options_.log_source != LogSource::cluster_ws || !trouble_.empty()) return nullptr;
  auto connect = [this, target = path_of(kind, name), name](const std::function<void(std::string_view)>& on_data,
                                                            const std::function<bool()>& stop) {
    const Patience patience{true, std::chrono::steady_clock::now() + seconds(30)};
    try {
      std::string token = tokens_.token(patience);
      for (bool is_renewed = false;; is_renewed = true) {
        log_.count("GET logs");
        WebSocketEnd end = listen(trusted_, {*cluster_, target, token}, on_data, stop);
        if (end.status == unauthorised && !is_renewed) {
          token = tokens_.renewed(token, patience);
          continue;
        }
        if (!end.text.empty()) cloudai::host().log_debug("The log of the workload '" + name + "': " + end.text);
        return end;
      }
    } catch (const cloudai::Error& error) {
      return WebSocketEnd{WebSocketEnd::Kind::broken, 0, error.message()};
    }
  };
  return std::make_unique<LogStream>(std::move(connect), file);
}

// Empty if all of it has come.
std::string WorkloadLogs::download(WorkloadKind kind, const std::string& name, LogText& text) {
  HttpRequest request;
  request.method = "GET";
  request.server = *cluster_;
  request.target = path_of(kind, name) + "/download";
  request.limit = download_limit;
  request.body_limit = largest_log;
  std::string token = tokens_.token({});
  bool is_renewed = false;
  for (int number = 1;; ++number) {
    request.headers = {{"Authorization", "Bearer " + token}};
    const auto started = std::chrono::steady_clock::now();
    const HttpResult result = log_.send(transport_, request, "GET logs/download");
    const Attempt attempt = log_.judged(result);
    const Action action = action_for(Call::get, attempt.condition, attempt.status);
    if (action == Action::accept) {
      text.begin();
      text.add(std::get<HttpReply>(result).body);
      text.end();
      return {};
    }
    log_.note_failure(request, attempt, number,
                      std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - started));
    if (action == Action::renew_token && !is_renewed) {
      is_renewed = true;
      token = tokens_.renewed(token, {});
    } else if (action != Action::retry || number >= download_attempts) {
      return attempt.message;
    } else {
      pause(pause_after(result, number), {});
    }
  }
}

std::string WorkloadLogs::finish(LogStream* stream, WorkloadKind kind, const std::string& name,
                                 const std::filesystem::path& file) {
  // One that was quick may have run between two looks at it.
  const std::unique_ptr<LogStream> late = stream == nullptr ? follow(kind, name, file) : nullptr;
  if (late) stream = late.get();
  std::optional<LogText> own;
  LogText& text = stream != nullptr ? stream->text() : own.emplace(file);
  if (!trouble_.empty()) return trouble_;
  std::string why = stream != nullptr ? stream->finish() : std::string();
  if (stream == nullptr || !why.empty()) {
    std::string not_downloaded;
    try {
      not_downloaded = download(kind, name, text);
    } catch (const cloudai::Error& error) {
      not_downloaded = error.message();
    }
    if (not_downloaded.empty()) {
      why.clear();
    } else {
      why = (why.empty() ? "" : "the stream: " + why + "; ") + std::string("the download: ") + not_downloaded;
    }
  }
  if (text.has_gap()) why = "the server no longer had all of it";
  return text.trouble().empty() ? why : text.trouble();
}

}  // namespace runai
