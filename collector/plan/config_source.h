#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/config.h"
#include "schema/warning.h"
#include "schema/workload.h"

namespace perf {

inline constexpr const char* kConfigName = "perf-compare.json";

/// A config and where it was found.
struct FoundConfig {
  Config config;
  std::string source;
  std::filesystem::path file{};  ///< empty: it is a commit's
  bool named = false;            ///< by the user
};

/// The config of --config; links are followed.
FoundConfig config_of_file(const std::filesystem::path& file);
/// The working tree's; nullopt where it has none. Links are refused.
std::optional<FoundConfig> config_of_working_tree(const Repository& repository);
/// A revision's own; nullopt where it has none.
std::optional<FoundConfig> config_of_revision(const Repository& repository,
                                              const Revision& revision,
                                              const std::string& path = kConfigName);
/// All three throw UsageError where the config is invalid, not a regular file, or unreadable.

/// The path of a config in the repository's history; empty for one from outside.
std::string path_in_history(const FoundConfig& found, const Repository& repository);

/// Replaces the policy and the targets of head's config by those of base's, and adds what head's
/// alone has: targets, inputs, and thresholds of workloads that base does not have. Returns
/// warnings of what head's config changes.
std::vector<Warning> judge_by(const Config& base, const std::string& size, Config& head);

/// The UsageError of a repository without a config, with an example config.
UsageError no_config(const Repository& repository);

/// The files that a config uses and no commit contains: a benchmark beside it, data. They are part
/// of the build key and identify a series.
struct Outside {
  std::filesystem::path folder{};  ///< of the config, absolute
  bool named = false;              ///< by --config: commands get PERF_COMPARE_CONFIG_DIR
  bool with_config = false;  ///< the config itself is from outside, with `build` and workloads
  std::vector<std::string> globs{};               ///< of the files, relative to the folder
  std::vector<std::filesystem::path> left_out{};  ///< whole paths: outputs, stores, the config
  std::string digest{};  ///< 16 digits: of names, modes and contents; empty: no files
  std::string latest{};  ///< the name of the file changed last

  std::string folder_seen() const { return named ? folder.string() : ""; }
};

/// The present state of these files: those that the config `uses`; else, for a --config outside the
/// working tree, all of its folder except stores, `outputs` of the run and the working tree. Of
/// links the target's path counts. Throws UsageError for a glob without a match and for more than
/// kMostFilesOutside or kMostBytesOutside, Error for unreadable files.
Outside outside_of(const FoundConfig& found, const Repository& repository,
                   const std::vector<std::filesystem::path>& outputs);

inline constexpr std::size_t kMostFilesOutside = 1000;
inline constexpr std::size_t kMostBytesOutside = 64u << 20;

/// Throws Error where the files have changed: new builds and measurements would be mistaken for
/// those of the old files.
void require_unchanged(const Outside& outside);

/// Sets a workload's digest of outside files, which identifies its series, and the folder that its
/// command may read. For a config from outside, `build` and the workload's command are part of the
/// digest, thresholds are not.
void add_outside(const Outside& outside, const Config& config, Workload& workload);

}  // namespace perf
