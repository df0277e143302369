#include "ci/cli/trend.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/trend/alert_record.h"
#include "analyzer/trend/points_wanted.h"
#include "analyzer/trend/trend.h"
#include "ci/cli/clock.h"
#include "ci/cli/exit_code.h"
#include "ci/cli/interruption.h"
#include "ci/cli/output.h"
#include "ci/cli/reproduce.h"
#include "ci/cli/session.h"
#include "ci/cli/store_path.h"
#include "ci/cli/trend_confirm.h"
#include "ci/cli/trend_since.h"
#include "collector/build/config_source.h"
#include "collector/git/ancestry.h"
#include "collector/git/baseline.h"
#include "reporter/render.h"
#include "schema/error.h"
#include "schema/shell_words.h"
#include "schema/store/store.h"

namespace perf {
namespace {

constexpr std::size_t kShortOid = 12;
/// Relative noise that a series is supposed to have while it has too few points to tell.
constexpr double kUsualNoise = 0.01;
constexpr std::size_t kPointsThatTell = 5;

/// What a trend is told from, as far as it is no measurement.
struct Place {
  Repository repository;
  std::filesystem::path store_file;
  Config config;  ///< empty where there is none
  std::optional<Store> store;
  NameSources sources;
};

/// Reads only; a store of an older version is migrated, one that is not there is not made.
std::optional<Store> open_to_read(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file))
    return std::nullopt;
  try {
    return Store(file, Store::Access::read_only);
  } catch (const Error&) {
    return Store(file);
  }
}

Config config_of(const Options& options, const Repository& repository) {
  if (!options.config.empty())
    return config_of_file(options.config).config;
  const std::optional<FoundConfig> found = config_of_working_tree(repository);
  return found ? found->config : Config{};
}

Place open_place(const Options& options, Spawner& spawner) {
  Repository repository = Repository::open(options.repo, make_run_process(spawner));
  std::filesystem::path file = store_path(options, repository);
  Config config = config_of(options, repository);
  std::optional<Store> store = open_to_read(file);
  NameSources sources{store ? store->pins() : std::vector<Baseline>{}, config.baselines,
                      environment_variable};
  return {std::move(repository), std::move(file), std::move(config), std::move(store),
          std::move(sources)};
}

/// Pins, and those baselines of the config that lead to a commit and that no pin shadows.
std::vector<Baseline> baselines_of(const Place& place) {
  std::vector<Baseline> baselines = place.sources.pins;
  for (const auto& [name, revision] : place.config.baselines) {
    const bool pinned = std::any_of(baselines.begin(), baselines.end(),
                                    [&](const Baseline& pin) { return pin.name == name; });
    const std::optional<Revision> found = pinned ? std::nullopt : place.repository.find(revision);
    if (found)
      baselines.push_back({name, found->oid, "in the config: " + revision, ""});
  }
  return baselines;
}

Revision head_of(const Options& options, const Place& place) {
  if (options.revision == ".")
    throw UsageError("the working tree has no history", ".", "perf-compare trend HEAD");
  return resolve_head(place.repository, options.revision, place.sources);
}

RecordedHistory load(const Options& options, const Place& place,
                     const std::vector<Revision>& line) {
  if (!place.store)
    return {};
  HistoryQuery query;
  for (const Revision& commit : line)
    query.oids.push_back(commit.oid);
  query.size = options.size;
  query.workloads = options.workloads;
  query.metrics = options.metrics;
  return place.store->load_recorded(query);
}

/// Of the most usual noise of the series, how many points it takes to see a step of the threshold.
std::size_t points_wanted_for(const TrendReport& report) {
  std::vector<double> noises;
  for (const TrendSeries& series : report.series)
    noises.push_back(series.points.size() < kPointsThatTell ? kUsualNoise : series.noise);
  if (noises.empty())
    return 0;
  const auto middle = noises.begin() + static_cast<std::ptrdiff_t>(noises.size() / 2);
  std::nth_element(noises.begin(), middle, noises.end());
  return points_wanted(*middle, report.policy.threshold);
}

void warn(TrendReport& report, const std::string& kind, const std::string& text) {
  report.warnings.push_back({kind, text});
}

void add_warnings(const Options& options, const FirstParentLine& line,
                  const RecordedHistory& recorded, TrendReport& report) {
  if (line.cut)
    warn(report, "shallow_clone",
         "this clone is shallow: history ends at " + line.commits.front().oid.substr(0, kShortOid) +
             "; fetch the whole of it (`fetch-depth: 0`, `git fetch --unshallow`)");
  if (recorded.elsewhere > 0)
    warn(report, "elsewhere",
         std::to_string(recorded.elsewhere) +
             " measured commits are not on this first-parent line and are left out");
  if (recorded.series.empty() && !(options.workloads.empty() && options.metrics.empty()))
    warn(report, "filtered", "only what -w and --metric name was looked for");
}

std::string new_id() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw Error("the kernel gives no random numbers", "getrandom");
  std::string id;
  for (const unsigned char byte : bytes) {
    id += "0123456789abcdef"[byte >> 4];
    id += "0123456789abcdef"[byte & 15];
  }
  return id;
}

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string reproduce_command(const Options& options, const Revision& head) {
  std::string text = "perf-compare trend " + head.oid.substr(0, kShortOid) + " --size " +
                     options.size + deciding_options(options);
  if (!options.since.empty())
    text += " --since " + shell_word(options.since);
  return text;
}

TrendReport report_of(const Options& options, const Place& place, const Policy& policy) {
  const Revision head = head_of(options, place);
  const FirstParentLine line = first_parent_line(place.repository, head);
  const std::optional<std::uint32_t> from =
      options.since.empty()
          ? std::nullopt
          : std::optional(position_since(options.since, seconds_now(), place.repository,
                                         place.sources, line.commits));
  const RecordedHistory recorded = load(options, place, line.commits);
  TrendInputs inputs{recorded,
                     line.commits,
                     baselines_of(place),
                     place.store ? place.store->alerts() : std::vector<Alert>{},
                     policy,
                     options.threshold,
                     options.size};
  TrendReport report = trend(inputs);
  report.points_wanted = points_wanted_for(report);
  if (from)
    report = since(std::move(report), *from);
  report.id = new_id();
  report.generated_at = utc_now();
  report.tool_version = PERF_COMPARE_VERSION;
  report.reproduce = {reproduce_command(options, head)};
  add_warnings(options, line, recorded, report);
  return report;
}

/// What was shown is remembered; where it cannot be, the report stands all the same.
void remember(const TrendReport& report, const Place& place) {
  const AlertRecord record = to_remember(report, report.generated_at);
  if (!place.store || (record.fresh.empty() && record.news.empty()))
    return;
  try {
    Store(place.store_file).record_alerts(record.fresh, record.news);
  } catch (const Error& error) {
    print_error({"what was shown could not be remembered, and will be shown again",
                 error.what + ": " + error.subject, error.hint});
  }
}

bool any_new(const TrendReport& report) {
  const auto is_new = [](const auto& finding) { return finding.state == AlertState::fresh; };
  return std::any_of(report.series.begin(), report.series.end(), [&](const TrendSeries& series) {
    return std::any_of(series.change_points.begin(), series.change_points.end(), is_new) ||
           (series.trend && is_new(*series.trend)) ||
           std::any_of(series.drifts.begin(), series.drifts.end(), is_new);
  });
}

bool any_regressed(const TrendReport& report) {
  return std::any_of(report.confirmations.begin(), report.confirmations.end(),
                     [](const Report& one) { return one.summary.verdict == Verdict::regressed; });
}

int code_of(const TrendReport& report, const Options& options, bool written) {
  if (interruption() != 0)
    return 128 + interruption();
  if (any_regressed(report) || (options.fail_on == "new" && any_new(report)))
    return kRegression;
  return written ? kFine : kNotMeasured;
}

}  // namespace

int trend_command(const Options& options, Spawner& spawner) {
  check_outputs(options);
  const Place place = open_place(options, spawner);
  const Policy policy = apply(place.config.policy, options);
  TrendReport report = report_of(options, place, policy);
  if (options.confirm)
    confirm(options, spawner, policy.budget, report);
  const std::vector<Error> errors = write_outputs(
      {[&](bool color) { return render_trend_terminal(report, color); },
       [&] { return render_trend_json(report); }, [&] { return render_trend_markdown(report); }},
      options);
  for (const Error& error : errors)
    print_error(error);
  if (errors.empty())
    remember(report, place);
  return code_of(report, options, errors.empty());
}

}  // namespace perf
