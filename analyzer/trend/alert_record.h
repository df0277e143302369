#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/alert.h"
#include "schema/trend.h"

namespace perf {

/// What has become of an alert so far.
struct AlertLife {
  std::string first_seen;                     ///< UTC, ISO 8601; empty: never shown as an alert
  std::string confirmed_by;                   ///< run id, where the last comparison confirmed it
  std::string refuted_by;                     ///< run id, where the last comparison refuted it
  bool recovered = false, withdrawn = false;  ///< said so before

  bool refuted() const { return !refuted_by.empty(); }
  bool shown() const { return !first_seen.empty(); }
  bool open() const { return shown() && !recovered && !withdrawn && !refuted(); }
};
AlertLife life_of(const Alert& alert);

/// An id from what the alert says, so that two stores that were copies of one give the same alert
/// the same: 32 hexadecimal digits. `copy` tells apart alerts that say the same.
std::string alert_id(const SeriesKey& series, AlertKind kind, const std::string& oid,
                     const std::string& baseline, int copy = 0);

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
