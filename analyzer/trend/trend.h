#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "schema/alert.h"
#include "schema/policy.h"
#include "schema/recorded_history.h"
#include "schema/revision.h"
#include "schema/trend.h"

namespace perf {

/// What a trend is computed from.
struct TrendInputs {
  const RecordedHistory& recorded;
  const std::vector<Revision>&
      line;  ///< first parents, oldest first; RecordedValue::commit indexes it
  std::vector<Baseline> baselines{};
  std::vector<Alert> alerts{};  ///< every one that was ever shown, in the order of showing
  Policy policy{};
  std::optional<double> alert_threshold{};  ///< smaller steps are no alerts
  std::string size = "ci";                  ///< that was measured, for the commands to confirm
  std::string place{};                      ///< of these the options that name repository and store
  /// Workloads of the config, with what they bring from outside; nullopt: not known.
  std::optional<std::map<std::string, std::string>> entries{};
  MoreSeries more{};    ///< beside those of `recorded`
  bool replays = true;  ///< compute the false-alarm rate
  /// Keep the points of series, for JSON and pictures; else memory grows with findings
  /// and with commits, and not with points.
  bool keeps_points = true;
  std::uint32_t since = 0;  ///< the position that since() is asked about afterwards
};

/// What moved along a line of commits. Its id, times, tool version and how to reproduce it are the
/// caller's. The same inputs give the same report, whatever the machine has to do beside.
TrendReport trend(const TrendInputs& inputs);

/// The report without its points and findings before a position on the line. What was found was
/// found in the whole; alerts that are over stay, whatever they were about.
TrendReport since(TrendReport report, std::uint32_t position);

}  // namespace perf
