#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/alert.h"
#include "schema/trend.h"

namespace perf {

/// What must be remembered once a report is written: alerts shown for the first time, and news of
/// those (after `seen`) and of earlier ones, by id.
struct AlertRecord {
  std::vector<Alert> fresh;
  std::vector<std::pair<std::string, AlertEvent>> news;
};

/// Members of a machine event are remembered too, without events, so that it is new only once; and
/// suspects that a comparison refuted, so that they are not asked about every night. `at` is UTC,
/// ISO 8601.
AlertRecord to_remember(const TrendReport& report, const std::string& at);

}  // namespace perf
