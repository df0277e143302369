#pragma once

#include "schema/calibration.h"

namespace perf::samples {

/// Two workloads on a machine of moderate noise, one of them called changed although it is not.
Calibration noisy_calibration();
/// The same, every row quiet and no warning.
Calibration quiet_calibration();

}  // namespace perf::samples
