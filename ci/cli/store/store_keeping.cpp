#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include "analyzer/trend/trend.h"
#include "ci/cli/commands.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/output/end_command.h"
#include "ci/cli/output/output.h"
#include "ci/cli/run/clock.h"
#include "ci/cli/run/store_and_config.h"
#include "ci/cli/store/stored_ids.h"
#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/hub/hub.h"
#include "reporter/escape/terminal.h"
#include "reporter/text/quantity.h"
#include "schema/error.h"
#include "schema/store/store.h"
#include "schema/text/lists.h"
#include "schema/text/wording.h"

namespace perf {
namespace {

using reporter::terminal_text;

std::string size_of(std::int64_t bytes) {
  return reporter::quantity(static_cast<double>(bytes), "B");
}

Repository repository_of(const Options& options, Spawner& spawner) {
  return Repository::open(options.repo, make_run_process(spawner));
}

void require_files(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
      throw UsageError("no such file", file, "pass stores of perf-compare (.db)");
    }
  }
}

/// Repeats the decisions about pins of another store that this one lacks, unless it has a later one
/// about that name.
void take_pins(const Store& from, Store& to) {
  const auto all_of = [](const PinEvent& event) {
    return std::tie(event.pinned, event.name, event.oid, event.reason, event.at);
  };
  const std::vector<PinEvent> own = to.pin_events();
  for (const PinEvent& event : from.pin_events()) {
    const auto last = std::find_if(
        own.rbegin(), own.rend(), [&event](const PinEvent& one) { return one.name == event.name; });
    const bool is_known =
        std::ranges::any_of(own, [&](const PinEvent& one) { return all_of(one) == all_of(event); });
    if (is_known || (last != own.rend() && last->at > event.at)) {
      continue;
    }
    if (event.pinned) {
      to.pin({event.name, event.oid, event.reason, event.at});
    } else {
      to.unpin(event.name, event.at, event.reason);
    }
  }
}

std::string merged_line(const std::string& file, const MergeResult& result, bool with_pins) {
  std::string text =
      fmt::format("{}: merged {}", terminal_text(file), counted(result.runs, "run", "runs"));
  if (result.unfinished != 0) {
    text += fmt::format(", {} of them unfinished", result.unfinished);
  }
  text += "; " + counted(result.known, "run was", "runs were") + " known already";
  if (result.continued != 0) {
    text += fmt::format(", {} of them continued", result.continued);
  }
  if (result.alerts != 0) {
    text += "; events of " + counted(result.alerts, "alert", "alerts");
  }
  text += "\n";
  if (with_pins) {
    return text;
  }
  if (!result.pins.empty()) {
    text += fmt::format("  its {} not merged; to add one: perf-compare pin NAME COMMIT\n",
                        result.pins.size() == 1 ? "pin is" : "pins are");
  }
  for (const Baseline& pin : result.pins) {
    text += fmt::format("    {}  {}{}{}\n", terminal_text(pin.name), terminal_text(pin.oid),
                        pin.reason.empty() ? "" : "  ", terminal_text(pin.reason));
  }
  return text;
}

/// The state of the files before and after the one that failed.
std::string rest_of(std::size_t taken, std::size_t files) {
  return fmt::format("before it {} merged, after it {} not read",
                     counted(taken, "file was", "files were"),
                     counted(files - taken - 1, "file was", "files were"));
}

/// The commits that the config's baselines need. A baseline that does not resolve may need commits
/// that are there.
std::vector<std::string> kept_by_config(const Options& options, const Repository& repository) {
  std::vector<std::string> oids;
  for (const ConfiguredBaseline& baseline :
       configured_baselines(config_here(options, &repository), repository)) {
    if (!baseline.oid) {
      throw UsageError("a baseline of the config does not resolve",
                       baseline.name + ": " + baseline.revision,
                       "fetch it (git fetch --tags), or remove it from the config");
    }
    oids.push_back(*baseline.oid);
  }
  return oids;
}

/// The clock decides what is old, and what is removed does not come back: a clock that was set
/// forward by years would make everything old.
void refuse_clock_jump(const std::filesystem::path& store) {
  constexpr std::chrono::hours kDay{24}, kLongest{400 * 24};  // steps are kept a year at most
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(store, unknown);
  const auto age = std::filesystem::file_time_type::clock::now() - written;
  if (!unknown && age > kLongest) {
    throw Error(
        fmt::format("the store did not change for {} days, by this machine's clock", age / kDay),
        store.string(),
        "correct the clock; if it is right, measure something first, or touch the file\n"
        "--dry-run shows what would be removed");
  }
}

/// Measured commits on either side of a change whose raw steps stay.
constexpr std::size_t kNeighbours = 3;

using Positions = std::map<std::string, std::size_t>;  ///< of commits on the line, by oid

Positions positions_of(const std::vector<Revision>& line) {
  Positions positions;
  for (std::size_t i = 0; i < line.size(); ++i) {
    positions[line[i].oid] = i;
  }
  return positions;
}

std::set<std::string> sizes_of(const Store& store) {
  std::set<std::string> sizes;
  for (const ListedRun& run : store.runs()) {
    sizes.insert(run.size);
  }
  return sizes;
}

/// Adds the commits of points [begin, end) and of the neighbours on either side.
void add_points(const TrendReport& report, const TrendSeries& series, std::size_t begin,
                std::size_t end, std::set<std::string>& oids) {
  end = std::min(series.points.size(), end + kNeighbours);
  for (std::size_t i = begin - std::min(begin, kNeighbours); i < end; ++i) {
    oids.insert(report.commits[series.points[i].commit].oid);
  }
}

void add_alert(const TrendReport& report, const TrendSeries& series, const Alert& alert,
               const Positions& line, std::set<std::string>& oids) {
  const auto previous = line.find(alert.previous_oid), at = line.find(alert.oid);
  if (!(alert.series == series.key) || previous == line.end() || at == line.end()) {
    return;
  }
  // Index of the first point that was measured at a position or later.
  const auto first_from = [&](std::size_t position) {
    const auto found = std::ranges::find_if(series.points, [&](const TrendPoint& point) {
      return report.positions[point.commit] >= position;
    });
    return static_cast<std::size_t>(found - series.points.begin());
  };
  const std::size_t begin = first_from(previous->second), end = first_from(at->second + 1);
  if (alert.kind == AlertKind::step) {
    add_points(report, series, begin, end, oids);
  } else {  // what lies between is no step
    add_points(report, series, begin, begin + 1, oids);
    add_points(report, series, first_from(at->second), end, oids);
  }
}

/// Full oids of the commits whose raw steps a change needs, of every size that the store holds.
/// Changes are the change points that are found now on HEAD's first-parent line, worse or better,
/// and the alerts that were shown there. In a change's series, in the order of the line, these are
/// the commits beside it, those measured between them since, and three measured ones on either
/// side; of an alert about a slope or a drift those at its ends. Throws UsageError where there is
/// no HEAD.
std::vector<std::string> commits_beside_changes(const Repository& repository, const Store& store) {
  const std::vector<Revision> line =
      first_parent_line(repository, resolve_head(repository, "HEAD", {})).commits;
  const Positions positions = positions_of(line);
  const std::vector<Alert> alerts = store.alerts();
  HistoryQuery query;
  query.oids = mapped(line, &Revision::oid);
  std::set<std::string> oids;
  for (const std::string& size : sizes_of(store)) {
    query.size = size;
    const RecordedHistory recorded = store.load_recorded(query);
    TrendInputs inputs{recorded, line};
    inputs.replays = false;
    const TrendReport report = trend(inputs);
    for (const TrendSeries& series : report.series) {
      for (const ChangePoint& change : series.change_points) {
        add_points(report, series, change.index - 1, change.index + 1, oids);
      }
      for (const Alert& alert : alerts) {
        add_alert(report, series, alert, positions, oids);
      }
    }
  }
  return {oids.begin(), oids.end()};
}

std::string pruned_text(const PruneResult& result, const Options& options) {
  const std::int64_t kept = result.kept_for_pins + result.kept_for_changes;
  std::string text =
      fmt::format("{} {} and {} of {}\n", options.dry_run ? "would remove" : "removed",
                  counted(result.steps, "raw step", "raw steps"),
                  counted(result.phases, "phase", "phases"), counted(result.runs, "run", "runs"));
  if (kept != 0) {
    text +=
        fmt::format("kept those of {} of that age: {} at a pinned commit, {} beside a change\n",
                    counted(kept, "run", "runs"), result.kept_for_pins, result.kept_for_changes);
  }
  text += fmt::format("the store {} {}, before {}; summaries are kept\n",
                      options.dry_run ? "would take about" : "takes", size_of(result.bytes_after),
                      size_of(result.bytes_before));
  return text;
}

}  // namespace

int merge_command(const Options& options, Spawner& spawner) {
  const Repository repository = repository_of(options, spawner);
  require_files(options.files);
  Store store(store_path(options, repository));
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    try {
      const MergeResult result = store.merge(options.files[i]);
      if (options.with_pins) {
        take_pins(Store(options.files[i], Store::Access::read_only), store);
      }
      write_text("-", merged_line(options.files[i], result, options.with_pins));
    } catch (Error& error) {
      if (options.files.size() > 1) {
        error.hint += (error.hint.empty() ? "" : "\n") + rest_of(i, options.files.size());
      }
      throw;
    }
  }
  return kFine;
}

int export_command(const Options& options, Spawner& spawner) {
  if (options.file == "-") {
    throw UsageError("cannot export to standard output", "-",
                     "pass a file: perf-compare export FILE");
  }
  refuse_links_out(std::filesystem::path(options.file).parent_path(), options.file);
  const Repository repository = repository_of(options, spawner);
  const Store store(store_path(options, repository), Store::Access::read_only);
  const std::string run = options.run.empty() ? std::string() : require_run(store, options.run);
  const ExportResult result = store.export_to(options.file, run);
  write_text("-", fmt::format("{}: {}; {}, {}, {}\n", terminal_text(options.file),
                              size_of(result.bytes), counted(result.runs, "run", "runs"),
                              counted(result.commits, "commit", "commits"),
                              counted(result.steps, "raw step", "raw steps")));
  return kFine;
}

int prune_command(const Options& options, Spawner& spawner) {
  if (options.keep_months) {
    return prune_hub(options, spawner);
  }
  if (!options.hub.empty()) {
    throw UsageError("--keep-months is missing", "",
                     "perf-compare prune " + shown_hub(options.hub) + " --keep-months 13");
  }
  const Repository repository = repository_of(options, spawner);
  const std::vector<std::string> pinned = kept_by_config(options, repository);
  const std::filesystem::path file = store_path(options, repository);
  if (!options.dry_run) {
    refuse_clock_jump(file);
  }
  Store store(file);
  const PruneRequest request{utc_ago(options.keep_steps), pinned,
                             commits_beside_changes(repository, store), options.dry_run};
  write_text("-", pruned_text(store.prune(request), options));
  return kFine;
}

}  // namespace perf
