#pragma once

#include <string>
#include <vector>

#include "reporter/trend/findings.h"
#include "reporter/trend/histories.h"

namespace perf::reporter::html {

/// New alerts, the largest first, each with the picture of its series; of a series with several
/// alerts the picture stands by the first of them.
std::string alert_articles(const Histories& histories, const std::vector<Finding>& findings);

}  // namespace perf::reporter::html
