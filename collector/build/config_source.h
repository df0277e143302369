#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "collector/git/repository.h"
#include "schema/config.h"

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

}  // namespace perf
