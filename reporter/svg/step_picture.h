#pragma once

#include <string>

#include "reporter/svg/session.h"
#include "schema/measured.h"

namespace perf::reporter::svg {

/// Every step of a workload in the order of the session: a slot a process, its steps from left to
/// right; base and head in one field, warm-up hollow, the medians of the timed steps as lines.
/// Steps far beyond the others stand at the border as arrows; more than `kMostDots` of a side are
/// thinned out evenly: the picture says both. Empty where there are no steps.
std::string step_picture(const MeasuredWorkload& measured, double width = kPanelWidth);

}  // namespace perf::reporter::svg
