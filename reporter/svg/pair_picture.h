#pragma once

#include <string>

#include "reporter/svg/panel.h"
#include "schema/report.h"

namespace perf::reporter::svg {

/// The change in each pair, in the order measured, against the threshold band; the estimate is a
/// line and its interval a band around it. Empty where no pairs are known.
std::string pair_picture(const Comparison& comparison, double width = kPanelWidth);

}  // namespace perf::reporter::svg
