#include "workloads/program/peak_memory.h"

#include <algorithm>

#include "workloads/program/memory.h"

namespace perf::workloads {

std::size_t most_resident(const perf_compare::StepEmitter& out) {
  std::size_t most = 0;
  for (const perf_compare::Step& step : out.steps()) {
    most = std::max<std::size_t>(most, step.rss);
  }
  return most == 0 ? peak_resident_memory() : most;
}

PeakMemory::PeakMemory() : before_(peak_resident_memory()) {}

std::size_t PeakMemory::bytes(const perf_compare::StepEmitter& out) const {
  const std::size_t now = peak_resident_memory();
  return now > before_ ? now : most_resident(out);
}

}  // namespace perf::workloads
