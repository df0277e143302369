#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// A field of what was emitted, as a person reads it: without quotes; "" where it is not there.
std::string text_of(const perf_compare::Fields& fields, std::string_view name);
/// The same as a number; 0 where it is none.
double number_of(const perf_compare::Fields& fields, std::string_view name);
std::optional<double> metric_value(const perf_compare::StepEmitter& out, std::string_view name);

}  // namespace perf::workloads
