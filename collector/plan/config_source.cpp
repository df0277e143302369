#include "collector/plan/config_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "collector/git/git_command.h"
#include "schema/files/content.h"
#include "schema/revision.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

constexpr std::size_t kConfigLimit = 64u << 20;  // B

constexpr const char* kNameAFile = "make it a file, or name one elsewhere: --config FILE";

[[noreturn]] void cannot_read(const std::filesystem::path& path) {
  throw Error("cannot read the config", path.string() + ": " + std::strerror(errno),
              "check the disk, or use another config: --config FILE");
}

/// The content of a regular file; nullopt where it does not exist. A tree can contain links and
/// pipes of any name, so the opened file is checked.
std::optional<std::string> read_regular(const std::filesystem::path& path, int flags) {
  const Descriptor file = open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags);
  if (!file && (errno == ENOENT || errno == ENOTDIR)) {
    return std::nullopt;
  }
  if (!file && is_system_fault(errno)) {
    cannot_read(path);
  }
  if (!file) {
    const bool link = errno == ELOOP;
    throw UsageError(link ? "the config is a symbolic link" : "cannot read the config",
                     path.string() + (link ? "" : std::string(": ") + std::strerror(errno)),
                     link ? "name its target: --config FILE" : kNameAFile);
  }
  if (!regular_size(file)) {
    throw UsageError("the config is not a regular file", path.string(), kNameAFile);
  }
  std::string text;
  if (read_up_to(file.number(), kConfigLimit + 1, text) != 0) {
    cannot_read(path);
  }
  if (text.size() > kConfigLimit) {
    throw UsageError("cannot read the config", path.string(), "configs may have up to 64 MiB");
  }
  return text;
}

}  // namespace

FoundConfig config_of_file(const std::filesystem::path& file) {
  const std::optional<std::string> text = read_regular(file, 0);
  if (!text) {
    throw UsageError(
        "no such config", file.string(),
        "perf-compare init --outside DIR writes one, for a benchmark outside the repository");
  }
  return {read_config(*text, file.string()), file.string(), file, true};
}

std::optional<FoundConfig> config_of_working_tree(const Repository& repository) {
  const std::optional<std::string> text =
      read_regular(repository.workdir() / kConfigName, O_NOFOLLOW);
  if (!text) {
    return std::nullopt;
  }
  return FoundConfig{read_config(*text, kConfigName),
                     std::string(kConfigName) + " of the working tree",
                     repository.workdir() / kConfigName};
}

std::optional<FoundConfig> config_of_revision(const Repository& repository,
                                              const Revision& revision, const std::string& path) {
  std::optional<std::string> text;
  try {
    text = repository.read_file(revision.oid, path);
  } catch (const UsageError& error) {
    throw UsageError("the config is not a regular file", error.subject, kNameAFile);
  }
  if (!text) {
    return std::nullopt;
  }
  const std::string place = short_oid(revision.oid) + ":" + path;
  return FoundConfig{read_config(*text, place), place};
}

std::string path_in_history(const FoundConfig& found, const Repository& repository) {
  if (!found.named) {
    return kConfigName;
  }
  std::error_code ignored;
  const auto resolved = [&](const std::filesystem::path& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  const auto path = resolved(found.file).lexically_relative(resolved(repository.workdir()));
  return path.empty() || *path.begin() == ".." ? "" : path.string();
}

/// The configs below the top, that of the current folder first.
std::vector<std::string> configs_below(const Repository& repository) {
  std::vector<std::string> found =
      git_paths(repository.process(),
                {{"ls-files", "--cached", "--others", "--exclude-standard", "--",
                  std::string(":(glob)**/") + kConfigName},
                 repository.workdir()},
                "cannot list the files of the repository");
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  std::ranges::stable_partition(found, [&](const std::string& path) {
    return std::filesystem::equivalent((repository.workdir() / path).parent_path(), here, ignored);
  });
  return found;
}

UsageError no_config(const Repository& repository) {
  if (const std::vector<std::string> below = configs_below(repository); !below.empty()) {
    const std::filesystem::path first = below.front();
    std::error_code ignored;
    const std::filesystem::path seen = std::filesystem::relative(
        repository.workdir() / first, std::filesystem::current_path(ignored), ignored);
    return UsageError("no perf-compare.json at the top of the repository",
                      repository.workdir().string(),
                      "pass --config " + shell_word(seen.empty() ? first.string() : seen.string()) +
                          "; commands run at the top of a checkout, or in its \"cwd\": " + "\"" +
                          first.parent_path().string() + "\"");
  }
  return UsageError("no perf-compare.json, so there is nothing to measure",
                    repository.workdir().string(),
                    R"(perf-compare init, which writes one from what it finds; or begin with this:
{
  "build": { "command": ["make"] },
  "workloads": [
    { "name": "parser", "command": ["./bench"], "format": "steps" }
  ]
})");
}

}  // namespace perf
