#include "container_images.hpp"

#include <algorithm>
#include <filesystem>

#include "text_fields.hpp"

namespace slurm {
namespace {

namespace fs = std::filesystem;
using cloudai::Provisioned;

constexpr double import_timeout = 4.0 * 3600;

std::string underscored(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '/' || c == '#'; }, '_');
  const std::size_t begin = std::min(text.find_first_not_of('_'), text.size());
  const std::size_t end = text.find_last_not_of('_');
  return end == std::string::npos ? std::string() : text.substr(begin, end + 1 - begin);
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string cached_file(const std::string& url, const SystemOptions& options) {
  return options.install_path + "/" + cache_file_name(url);
}

std::string docker_url(const std::string& url) {
  return contains(url, "://") ? url : "docker://" + url;
}

std::vector<std::string> import_command(const std::string& url, const std::string& file, const SystemOptions& options) {
  std::vector<std::string> argv{"srun", "--export=ALL", "--partition=" + options.default_partition};
  if (!options.account.empty()) argv.push_back("--account=" + options.account);
  if (options.supports_gpu_directives.value_or(true) && options.gpus_per_node) argv.emplace_back("--gres=gpu:1");
  for (std::string_view rest = trim(options.extra_srun_args); !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    argv.emplace_back(word);
    rest = trim(rest.substr(word.size()));
  }
  const std::string name = "CloudAI_install_docker_image";
  argv.insert(argv.end(),
              {"-N1", "--ntasks=1", "--job-name=" + (options.account.empty() ? name : options.account + "-" + name),
               "enroot", "import", "-o", file, docker_url(url)});
  return argv;
}

Provisioned import_image(const std::string& url, const std::string& file, const SystemOptions& options,
                         const SlurmCommands& commands) {
  // An interrupted import must not be taken for an image.
  const std::string partial = file + ".part";
  std::error_code ignored;
  fs::remove(partial, ignored);
  const auto result = commands.act(import_command(url, partial, options), import_timeout);
  if (!succeeded(result)) return {false, {}, failure_text("The import of '" + url + "' with srun and enroot", result)};
  for (const std::string_view trouble : {"Disk quota exceeded", "Write error"}) {
    if (!contains(result.stderr_text, trouble)) continue;
    fs::remove(partial, ignored);
    return {false,
            {},
            "The import of '" + url + "' says: " + std::string(trouble) +
                ". Make room where enroot keeps its files and in '" + options.install_path + "'."};
  }
  std::error_code error;
  fs::rename(partial, file, error);
  if (error) return {false, {}, "The imported image '" + partial + "' cannot be used: " + error.message() + "."};
  return {true, file, {}};
}

}  // namespace

bool is_local_image(const std::string& url) {
  return !url.empty() && (url.front() == '/' || url.front() == '.');
}

std::string cache_file_name(const std::string& url) {
  std::string name = url;
  if (const std::size_t scheme = name.find("://"); scheme != std::string::npos) name.erase(0, scheme + 3);
  // A colon before a slash stands before a port.
  const std::size_t slash = name.rfind('/');
  const std::size_t colon = name.rfind(':');
  std::string tag = "notag";
  if (colon != std::string::npos && (slash == std::string::npos || colon > slash)) {
    tag = name.substr(colon + 1);
    name.erase(colon);
  }
  std::replace(name.begin(), name.end(), ':', '_');
  const std::size_t last = name.find_last_of('/');
  if (last == std::string::npos || is_local_image(url)) {
    return underscored(name.substr(last == std::string::npos ? 0 : last + 1)) + "__" + underscored(tag) + ".sqsh";
  }
  return underscored(name.substr(0, last)) + "__" + underscored(name.substr(last + 1)) + "__" + underscored(tag) +
         ".sqsh";
}

std::string image_reference(const std::string& url, const SystemOptions& options) {
  if (url.empty()) return url;
  if (is_local_image(url)) return fs::absolute(url).lexically_normal().string();
  return options.cache_docker_images_locally ? cached_file(url, options) : url;
}

Provisioned provide_image(const cloudai::ProvisionRequest& request, const SystemOptions& options,
                          const SlurmCommands& commands) {
  const std::string& url = request.item.url;
  if (is_local_image(url)) {
    if (exists(url)) return {true, image_reference(url, options), {}};
    return {false, {}, "The image file '" + url + "' does not exist."};
  }
  if (!options.cache_docker_images_locally) return {true, url, {}};
  const std::string file = cached_file(url, options);
  if (request.action == cloudai::ProvisionAction::remove) {
    std::error_code error;
    fs::remove(file, error);
    return {exists(file), file, error ? error.message() : std::string()};
  }
  if (exists(file)) return {true, file, {}};
  if (request.action == cloudai::ProvisionAction::check) {
    return {false, {}, "The image '" + url + "' is not in '" + options.install_path + "'."};
  }
  return import_image(url, file, options, commands);
}

}  // namespace slurm
