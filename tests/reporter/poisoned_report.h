#pragma once

#include <string>

#include "schema/report.h"

namespace perf::samples {

/// A report in which every text is the hostile one.
Report poisoned_report(const std::string& text);

}  // namespace perf::samples
