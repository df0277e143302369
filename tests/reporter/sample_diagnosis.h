#pragma once

#include "schema/diagnosis.h"

namespace perf::samples {

/// A laptop on battery in a busy office: causes of every severity.
Diagnosis noisy_laptop();

}  // namespace perf::samples
