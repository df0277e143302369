#pragma once

#include <string_view>

#include "schema/metric.h"

namespace perf::formats {

/// What a result of github-action-benchmark is, by the tool and the unit that stand beside it.
struct ActionMeaning {
  Metric metric;
  double factor = 1;  ///< of its unit in the metric's
  bool judge = false;
  bool inverse_is_time = false;  ///< 1 / the rate is the mean time of an iteration
};

ActionMeaning action_meaning_of(std::string_view tool, std::string_view unit);

}  // namespace perf::formats
