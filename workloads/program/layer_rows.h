#pragma once

#include <cstddef>
#include <string>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Whether a metric is "layer_07_bytes", of any layer.
bool is_layer_bytes(const std::string& metric);

/// The table's rows of these metrics, names in so many columns: neighbouring layers that take the
/// same are one row.
std::string layer_rows(const perf_compare::StepEmitter& out, std::size_t width);

}  // namespace perf::workloads
