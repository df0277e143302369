#pragma once

#include <string>

#include "schema/alert.h"

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

}  // namespace perf
