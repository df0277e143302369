#include <algorithm>
#include <future>

#include "analyzer/trend/alert_states.h"
#include "ci/cli/hub/hub.h"
#include "ci/cli/run/context.h"
#include "ci/cli/run/signals.h"
#include "collector/build/build_cache.h"
#include "collector/hub/database/points.h"
#include "collector/hub/hub.h"
#include "collector/process/temporary_folder.h"
#include "schema/error.h"
#include "schema/readings.h"
#include "schema/store/store.h"

namespace perf {
namespace {

constexpr std::size_t kValuesAtOnce = std::size_t{1} << 17U;

/// Alerts with tonight's news alone: what the hub has of them need not go there again.
AlertRecord with_known_alerts(AlertRecord record, const std::vector<Alert>& alerts) {
  for (const Alert& alert : alerts) {
    const bool has_news =
        std::ranges::any_of(record.news, [&](const auto& news) { return news.first == alert.id; });
    if (has_news) {
      record.fresh.push_back(alert);
      record.fresh.back().events.clear();
    }
  }
  return record;
}

/// The metrics that are asked for. Throws UsageError for quantiles: a hub's points have no steps.
const std::vector<std::string>& metrics_in_hub(const Options& options) {
  for (const std::string& metric : options.metrics) {
    if (step_quantile(metric)) {
      throw UsageError("a hub in PostgreSQL has no quantiles of steps", "--metric " + metric,
                       "pull the runs, and run trend on the store: perf-compare pull");
    }
  }
  return options.metrics;
}

}  // namespace

HubHistory::HubHistory(const Options& options, const std::vector<std::string>& oids)
    : reading_(options, [&](postgres::Connection& connection) {
        reader_ = std::make_unique<hub::PointReader>(
            connection,
            HistoryQuery{oids, options.size, options.workloads, metrics_in_hub(options)});
        alerts_ = hub::load_alerts(connection);
      }) {}

HubHistory::~HubHistory() = default;

/// The next ones are read while those before are searched.
MoreSeries HubHistory::more() {
  return [this] {
    const auto read = [this] { return reader_->next(kValuesAtOnce); };
    SomeSeries found = next_.valid() ? next_.get() : read();
    if (!found.series.empty()) {
      next_ = std::async(std::launch::async, read);
    }
    return found;
  };
}

void remember_in_hub(const TrendReport& report, const std::vector<Alert>& alerts,
                     const Options& options, const Repository& repository) {
  const AlertRecord record = with_known_alerts(to_remember(report, report.generated_at), alerts);
  if (record.fresh.empty() && record.news.empty()) {
    return;
  }
  const TemporaryFolder folder;
  Store store(folder.path() / "news.db");
  store.record_alerts(record.fresh, record.news);
  std::vector<Payload> payloads;
  for (const std::string& month : store.months_of_alerts()) {
    payloads.push_back(store.payload_of_alerts(month));
  }
  if (!payloads.empty()) {
    open_hub(options.hub, {repository, build_cache_folder(environment_variable), is_interrupted})
        ->put(options.writer.empty() ? host_of_this_machine() : options.writer, payloads);
  }
}

}  // namespace perf
