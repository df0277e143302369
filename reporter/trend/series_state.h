#pragma once

#include <vector>

#include "reporter/trend/findings.h"
#include "schema/trend.h"

namespace perf::reporter {

/// The most urgent thing that there is to say of a series, in that order.
enum class SeriesState {
  fresh,     ///< "new": an alert that was never shown
  known,     ///< an alert that was
  event,     ///< moved with its machine
  refuted,   ///< an alert that a comparison refuted
  over,      ///< an alert that recovered or was withdrawn
  suspect,   ///< a step not certain enough
  worse,     ///< moved for the worse, and that is no alert
  improved,  ///< moved for the better
  quiet,     ///< nothing
};

/// "new", "known", "machine event", ...
const char* word_for(SeriesState state);

/// `findings` are those of the series alone.
SeriesState state_of(const TrendSeries& series, const std::vector<Finding>& findings);

}  // namespace perf::reporter
