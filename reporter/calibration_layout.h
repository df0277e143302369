#pragma once

#include "reporter/document.h"
#include "schema/calibration.h"

namespace perf::reporter {

/// What a person should see of a calibration, before any output format: whether identical code was
/// left alone, the noise of each series and what it lets a comparison see, what a whole report
/// costs at each threshold and how often it would err, beside what simpler rules would have cried.
Document lay_out(const Calibration& calibration);

}  // namespace perf::reporter
