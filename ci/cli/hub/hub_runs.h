#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ci/cli/options/options.h"
#include "collector/postgres/session.h"
#include "schema/run_list.h"
#include "schema/store/store.h"

namespace perf {

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

}  // namespace perf
