#pragma once

#include <string>

#include "reporter/svg/session.h"
#include "schema/measured.h"
#include "schema/metric.h"

namespace perf::reporter::svg {

/// Every step of a workload in the order of the session: a slot a process, its steps from left to
/// right; base and head in one field, warm-up hollow, the medians of the timed steps as lines.
/// Steps far beyond the others stand at the border as arrows; more than `kMostDots` of a side are
/// thinned out evenly: the picture says both. Empty where there are no steps.
std::string step_picture(const MeasuredWorkload& measured, double width = kPanelWidth);

/// The memory of a workload over the session: the peak of every process and, where steps report it,
/// what was resident after them. Empty where nothing is known.
std::string memory_picture(const MeasuredWorkload& measured, double width = kPanelWidth);

/// One metric, process by process in the order of the session, base and head, with their medians as
/// lines. Empty where no process has a value of it.
std::string process_picture(const MeasuredWorkload& measured, const Metric& metric,
                            double width = kPanelWidth);

}  // namespace perf::reporter::svg
