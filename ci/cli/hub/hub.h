#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/git/repository.h"
#include "collector/hub/database/points.h"
#include "collector/postgres/session.h"
#include "collector/process/spawner.h"
#include "schema/alert.h"
#include "schema/recorded_history.h"
#include "schema/run_list.h"
#include "schema/store/store.h"
#include "schema/trend.h"

namespace perf {

/// Runs a command with --hub: pulls, works, and pushes. If the hub fails, the work is done, and
/// exit code 0 becomes 3. `takes_in`: false if the work reads the hub itself.
int with_hub(const Options& options, Spawner& spawner, const std::function<int()>& work,
             bool takes_in = true);

/// `prune HUB`: removes the payloads of old months.
int prune_hub(const Options& options, Spawner& spawner);

/// `hub trust`: records the hub, else that of the config, as one that may get credentials.
int trust_hub(const Options& options, Spawner& spawner);

/// Whether --hub names a PostgreSQL hub, which is read without pulling.
bool reads_hub(const Options& options);

/// Throws UsageError where --hub names another kind of hub.
void require_tables(const Options& options);

/// The tables of a hub as they are at one moment, as long as this lives.
class HubReading {
 public:
  /// `work` is done again, at a later moment, where the server was full or went away.
  HubReading(const Options& options, const std::function<void(postgres::Connection&)>& work);

 private:
  postgres::Session session_;
  std::unique_ptr<postgres::Transaction> transaction_{};
};

/// The runs that a hub has points of, as `list` shows those of a store.
RunList runs_in_hub(const Options& options);

/// Takes runs of a hub into a store, by their payloads: those whose ids begin with a text (empty:
/// the latest one), or that measured a revision. Returns their number.
std::size_t take_runs_named(const Options& options, Store& store);
std::size_t take_runs_at(const Options& options, const std::string& oid, Store& store);

/// The points of a hub, as they are when this is made.
class HubHistory {
 public:
  HubHistory(const Options& options, const std::vector<std::string>& oids);
  HubHistory(const HubHistory&) = delete;
  HubHistory& operator=(const HubHistory&) = delete;
  ~HubHistory();

  const RecordedHistory& frame() const { return reader_->frame(); }
  MoreSeries more();
  const std::vector<Alert>& alerts() const { return alerts_; }

 private:
  std::unique_ptr<hub::PointReader> reader_{};
  std::vector<Alert> alerts_{};
  HubReading reading_;              ///< fills those two
  std::future<SomeSeries> next_{};  ///< last: it uses the others
};

/// Pushes the alerts that a report showed first, and new events of `alerts`, as a payload for the
/// next `hub index`.
void remember_in_hub(const TrendReport& report, const std::vector<Alert>& alerts,
                     const Options& options, const Repository& repository);

}  // namespace perf
