#pragma once

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "ci/cli/hub/hub_runs.h"
#include "ci/cli/options/options.h"
#include "collector/git/repository.h"
#include "collector/hub/database/points.h"
#include "schema/alert.h"
#include "schema/recorded_history.h"
#include "schema/trend.h"

namespace perf {

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
