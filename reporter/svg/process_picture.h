#pragma once

#include <string>

#include "reporter/svg/panel.h"
#include "schema/measured.h"
#include "schema/metric.h"

namespace perf::reporter::svg {

/// One metric, process by process in the order of the session, base and head, with their medians as
/// lines. Empty where no process has a value of it. For memory see memory_picture.h.
std::string process_picture(const MeasuredWorkload& measured, const Metric& metric,
                            double width = kPanelWidth);

}  // namespace perf::reporter::svg
