#include <algorithm>
#include <optional>
#include <utility>

#include "ci/cli/history/history.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/store_and_config.h"
#include "collector/git/ancestry.h"
#include "schema/error.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"
#include "schema/text/utc_time.h"

namespace perf {
namespace {

/// Reads only; a store of an older version is migrated.
Store open_to_read(const std::filesystem::path& file) {
  try {
    return Store(file, Store::Access::read_only);
  } catch (const Error&) {
    return Store(file);
  }
}

/// Seconds since the epoch of the beginning of a day, "2026-01-31"; nullopt for any other text.
std::optional<std::int64_t> beginning_of_day(const std::string& text) {
  const bool looks_so = text.size() == 10 && text[4] == '-' && text[7] == '-';
  return looks_so ? utc_seconds(text + "T00:00:00Z") : std::nullopt;
}

/// Seconds of "30d" or "18h", of any length: history is longer than anybody measures.
std::optional<std::int64_t> duration_of(const std::string& text) {
  constexpr std::int64_t kDay = 86400, kMostDays = std::int64_t{100} * 366;
  const std::string number = text.substr(0, text.find('d'));
  const std::optional<std::int64_t> days = parsed<std::int64_t>(number);
  if (text.size() <= 8 && text == number + "d" && days && text.front() != '-') {
    return kDay * std::min(*days, kMostDays);
  }
  try {
    return static_cast<std::int64_t>(parse_duration(text, "--since"));
  } catch (const UsageError&) {
    return std::nullopt;
  }
}

std::uint32_t first_from(const std::vector<Revision>& line, std::int64_t time) {
  const auto found = std::ranges::find_if(
      line, [time](const Revision& commit) { return commit.committed_at >= time; });
  return static_cast<std::uint32_t>(found - line.begin());
}

std::optional<std::uint32_t> position_of(const std::vector<Revision>& line,
                                         const std::string& oid) {
  const auto found = std::ranges::find(line, oid, &Revision::oid);
  return found == line.end() ? std::nullopt
                             : std::optional(static_cast<std::uint32_t>(found - line.begin()));
}

Revision revision_of(const Repository& repository, const std::string& when,
                     const NameSources& sources) {
  try {
    return resolve_head(repository, when, sources);
  } catch (const UsageError& error) {
    throw UsageError("invalid --since", when,
                     "pass a day (2026-01-31), a duration (30d) or a revision" +
                         (error.hint.empty() ? "" : "\n" + error.hint));
  }
}

std::uint32_t after(const Repository& repository, const Revision& revision,
                    const std::vector<Revision>& line) {
  std::optional<std::uint32_t> position = position_of(line, revision.oid);
  if (!position) {
    const auto fork = merge_base(repository, revision.oid, line.back().oid);
    position = fork ? position_of(line, *fork) : std::nullopt;
  }
  if (!position) {
    throw UsageError("the revision is not on the first-parent line", "--since " + revision.name,
                     "pass a commit of the line, a day (2026-01-31) or a duration (30d)");
  }
  return *position + 1;
}

}  // namespace

TrendPlace open_place(const Options& options, Spawner& spawner) {
  Repository repository = Repository::open(options.repo, make_run_process(spawner));
  const bool lacks = reads_hub(options) && !options.db.empty() &&
                     !std::filesystem::exists(std::filesystem::symlink_status(options.db));
  const auto file = lacks ? std::nullopt : store_there(options, repository, "collect HEAD");
  const FoundConfig found = found_here(options, &repository);
  Outside outside = outside_of(found, repository, written_places(options, repository));
  std::optional<Store> store = file ? std::optional(open_to_read(*file)) : std::nullopt;
  NameSources sources{store ? store->pins() : std::vector<Baseline>{}, found.config.baselines,
                      environment_variable};
  return {std::move(repository), file.value_or(""), found.config,
          std::move(outside),    std::move(store),  std::move(sources)};
}

std::vector<Baseline> baselines_of(const TrendPlace& place) {
  std::vector<Baseline> baselines = place.sources.pins;
  for (const ConfiguredBaseline& one : configured_baselines(place.config, place.repository)) {
    if (one.oid && std::ranges::count(place.sources.pins, one.name, &Baseline::name) == 0) {
      baselines.push_back({one.name, *one.oid, "in the config: " + one.revision, ""});
    }
  }
  return baselines;
}

std::optional<std::map<std::string, std::string>> entries_of(const TrendPlace& place,
                                                             const Revision& head,
                                                             const std::string& size) {
  Config config = place.config;
  if (config.workloads.empty()) {
    try {
      const std::optional<FoundConfig> found = config_of_revision(place.repository, head);
      config = found ? found->config : Config{};
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  std::map<std::string, std::string> entries;
  for (Workload& workload : workloads_of_size(config, size)) {
    add_outside(place.outside, config, workload);
    entries.emplace(workload.name, workload.outside);
  }
  return entries;
}

std::uint32_t position_since(const std::string& when, std::int64_t now,
                             const Repository& repository, const NameSources& sources,
                             const std::vector<Revision>& line) {
  if (const std::optional<std::int64_t> day = beginning_of_day(when)) {
    return first_from(line, *day);
  }
  if (const std::optional<std::int64_t> duration = duration_of(when)) {
    return first_from(line, now - *duration);
  }
  return after(repository, revision_of(repository, when, sources), line);
}

}  // namespace perf
