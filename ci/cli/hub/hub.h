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

/// A command that takes --hub: takes in what others brought there, works, and brings there what is
/// new. Where the hub fails the work is done all the same, and ends with 3 if it would with 0.
/// `takes_in`: false where it reads what it wants of them in the hub itself.
int with_hub(const Options& options, Spawner& spawner, const std::function<int()>& work,
             bool takes_in = true);

/// `prune HUB`: takes away what lies there of months that are old enough.
int prune_hub(const Options& options, Spawner& spawner);

/// Whether --hub names tables that are read where they are, and not a place to meet.
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

/// Takes runs of a hub into a store, by the payloads that they came with: those whose ids begin
/// with a text (empty: the latest one), or that measured a revision. How many there are.
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

/// Brings what a report showed first, and news of `alerts`, to the hub, as a payload that the next
/// `hub index` takes.
void remember_in_hub(const TrendReport& report, const std::vector<Alert>& alerts,
                     const Options& options, const Repository& repository);

}  // namespace perf
