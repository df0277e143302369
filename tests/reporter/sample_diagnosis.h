#pragma once

#include "schema/finding.h"

namespace perf::samples {

/// A laptop on battery in a busy office: findings of every severity.
Diagnosis noisy_laptop();

}  // namespace perf::samples
