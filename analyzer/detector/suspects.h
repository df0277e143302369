#pragma once

#include <vector>

#include "analyzer/detector/change_points.h"

namespace perf {

/// Steps that the cheaper, sooner tier sees and `accepted`, the result of find_steps on the same
/// values, does not contain: worth an A/B run, not an alert. In order.
std::vector<FoundStep> find_suspects(const std::vector<double>& values,
                                     const std::vector<FoundStep>& accepted,
                                     Scale scale = Scale::log);

}  // namespace perf
