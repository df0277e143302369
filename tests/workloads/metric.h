#pragma once

#include <gtest/gtest.h>

#include <string>

#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What a workload reported as the metric `name`; a failure of the test where it reported none.
inline double metric(const perf_compare::StepEmitter& out, const std::string& name) {
  for (const perf_compare::Metric& one : out.metrics()) {
    if (one.name == name) {
      return one.value;
    }
  }
  ADD_FAILURE() << "no metric " << name;
  return 0;
}

}  // namespace perf::workloads
