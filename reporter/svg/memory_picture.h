#pragma once

#include <string>

#include "reporter/svg/panel.h"
#include "schema/measured.h"

namespace perf::reporter::svg {

/// The memory of a workload over the session: the peak of every process and, where steps report it,
/// what was resident after them. Empty where nothing is known.
std::string memory_picture(const MeasuredWorkload& measured, double width = kPanelWidth);

}  // namespace perf::reporter::svg
