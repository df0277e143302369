#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/kernels/read_rate.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// weights_bytes, activations_bytes and kv_cache_bytes as `memory` has counted them, and
/// overhead_bytes: what the process had at most in a step (without steps: at all) less these
/// three, so libraries and workspace. What the
/// yardsticks hold (ReadShare, GemmRate) is no overhead of the model's.
std::vector<std::string> memory_metrics();
void report_memory(const Ledger& memory, perf_compare::StepEmitter& out,
                   std::size_t yardsticks = 0);

/// How close to the speed of memory steps came: each step's bytes a second by the mean of the read
/// rates just before and just after it, as the rate of a shared machine flips within a minute.
class ReadShare {
 public:
  /// 0 bytes: only bytes_per_second is reported.
  explicit ReadShare(std::size_t probe_bytes) : rate_(probe_bytes) {}

  /// Call before the first step, and after each one, outside of it.
  void probe() { rates_.push_back(rate_.measure()); }
  /// What the timed step that ended last read, and how long it took for that.
  void step(double bytes, double seconds) { steps_.push_back(bytes / seconds); }

  /// read_rate (of the probes), bytes_per_second and read_share: medians over the timed steps.
  /// Nothing where no step was kept.
  static std::vector<std::string> metrics();
  void report(perf_compare::StepEmitter& out) const;

 private:
  ReadRate rate_;
  std::vector<double> rates_, steps_;
};

/// Median; 0 of nothing.
double median(std::vector<double> values);

}  // namespace perf::workloads
