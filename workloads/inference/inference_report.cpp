#include "workloads/inference/inference_report.h"

#include <algorithm>

#include "workloads/program/peak_memory.h"

namespace perf::workloads {

using perf_compare::Better;
using perf_compare::StepEmitter;

namespace {

std::size_t counted_bytes(const Ledger& memory) {
  return memory.bytes(Purpose::weights) + memory.bytes(Purpose::activations) +
         memory.bytes(Purpose::kv_cache);
}

}  // namespace

std::size_t memory_without_yardsticks(const Ledger& memory, const StepEmitter& out,
                                      std::size_t yardsticks) {
  const std::size_t least = counted_bytes(memory) + yardsticks;
  return std::max(most_resident(out), least) - yardsticks;
}

std::vector<std::string> memory_metrics() {
  return {"weights_bytes", "activations_bytes", "kv_cache_bytes", "overhead_bytes"};
}

void report_memory(const Ledger& memory, StepEmitter& out, std::size_t yardsticks) {
  const auto report = [&](const char* name, std::size_t bytes) {
    out.metric(name, "B", Better::lower, static_cast<double>(bytes));
  };
  report("weights_bytes", memory.bytes(Purpose::weights));
  report("activations_bytes", memory.bytes(Purpose::activations));
  report("kv_cache_bytes", memory.bytes(Purpose::kv_cache));
  report("overhead_bytes",
         memory_without_yardsticks(memory, out, yardsticks) - counted_bytes(memory));
}

void append(std::vector<std::string>& names, const std::vector<std::string>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

}  // namespace perf::workloads
