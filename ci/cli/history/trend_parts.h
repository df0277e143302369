#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/plan/config_source.h"
#include "collector/process/spawner.h"
#include "schema/config.h"
#include "schema/revision.h"
#include "schema/store/store.h"
#include "schema/trend.h"

namespace perf {

/// What a trend is told from, as far as it is no measurement.
struct TrendPlace {
  Repository repository;
  std::filesystem::path store_file;
  Config config;               ///< empty where there is none
  Outside outside;             ///< what it brings
  std::optional<Store> store;  ///< nothing where none was made yet
  NameSources sources;
};

/// Opens it to read. Throws Error where --db names a file that is not there.
TrendPlace open_place(const Options& options, Spawner& spawner);

/// Pins, and those baselines of the config that lead to a commit and that no pin shadows.
std::vector<Baseline> baselines_of(const TrendPlace& place);

/// The workloads that can be compared, with what they bring from outside: those of the config,
/// where there is none of head's own; nullopt where that one cannot be read.
std::optional<std::map<std::string, std::string>> entries_of(const TrendPlace& place,
                                                             const Revision& head,
                                                             const std::string& size);

/// The position on a line (oldest first) of the first commit that `--since WHEN` is about: of a day
/// (2026-01-31, UTC) the first commit of that day or later, of a duration (30d) the first that is
/// no older at `now` (seconds since the epoch), by committer times, and of a revision the commit
/// after it, or after the point where its branch leaves the line. The line's length where there is
/// none. Throws UsageError for anything else.
std::uint32_t position_since(const std::string& when, std::int64_t now,
                             const Repository& repository, const NameSources& sources,
                             const std::vector<Revision>& line);

/// `trend --confirm`: runs the comparisons that tell whether new alerts, machine events and
/// suspects are real, the most urgent first, by the ordinary rule, within the policy's budget, of
/// which each takes what it needs. Each is a run of its own in the store. What they say
/// goes into the report; what could not be compared is a warning of it. Throws UsageError where
/// nothing can be measured here at all.
void confirm(const Options& options, Spawner& spawner, double budget, TrendReport& report);

}  // namespace perf
