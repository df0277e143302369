#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/config.h"
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

/// The config that the user named; links are followed.
FoundConfig config_of_file(const std::filesystem::path& file);
/// The working tree's; nullopt where it has none. A link is none to follow.
std::optional<FoundConfig> config_of_working_tree(const Repository& repository);
/// A revision's own; nullopt where it has none.
std::optional<FoundConfig> config_of_revision(const Repository& repository,
                                              const Revision& revision);
/// All three throw UsageError where the config is wrong, no regular file, or cannot be read.

/// The UsageError of a repository without a config, with one to begin with.
UsageError no_config(const Repository& repository);

/// What a config brings that no commit holds: a benchmark beside it, data. A build and a series are
/// of a commit and of this.
struct Outside {
  std::filesystem::path folder{};  ///< of the config, absolute
  bool named = false;        ///< by --config: commands see the folder, PERF_COMPARE_CONFIG_DIR
  bool with_config = false;  ///< its `build` and its entries are from outside, too
  std::vector<std::string> globs{};               ///< of the files, from the folder
  std::vector<std::filesystem::path> left_out{};  ///< whole paths: outputs, stores, the config
  std::string
      digest{};  ///< 16 digits: names, modes and contents; empty: nothing comes from outside
  std::string latest{};  ///< the name of the file that was changed last

  std::string folder_seen() const { return named ? folder.string() : ""; }
};

/// What a config brings as it lies there now: what it `uses`; else, of one that --config names
/// outside of the working tree, its folder, without stores, `outputs` of the run and the working
/// tree. Links are not followed: where they lead to counts. Throws UsageError for a glob that finds
/// nothing and for more than kMostFiles or kMostBytes, Error for what cannot be read.
Outside outside_of(const FoundConfig& found, const Repository& repository,
                   const std::vector<std::filesystem::path>& outputs);

inline constexpr std::size_t kMostFilesOutside = 1000;
inline constexpr std::size_t kMostBytesOutside = 64u << 20;

/// Throws Error where it is not what it was any more: what is built or measured now would go under
/// the old one's name.
void require_unchanged(const Outside& outside);

/// Gives a workload what tells its series, and the folder that its command may look into. Of a
/// config from outside the `build` and the workload's own command count, and no threshold.
void bring(const Outside& outside, const Config& config, Workload& workload);

}  // namespace perf
