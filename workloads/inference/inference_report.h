#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/kernels/read_rate.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What the process had in memory at most in a step (without steps: at all), less what its
/// yardsticks hold (ReadShare, GemmRate), which is no memory of the model's; at least the weights,
/// activations, keys and values that `memory` has counted.
std::size_t memory_without_yardsticks(const Ledger& memory, const perf_compare::StepEmitter& out,
                                      std::size_t yardsticks = 0);

/// weights_bytes, activations_bytes and kv_cache_bytes as `memory` has counted them, and
/// overhead_bytes: memory_without_yardsticks() less these three, so libraries and workspace.
std::vector<std::string> memory_metrics();
void report_memory(const Ledger& memory, perf_compare::StepEmitter& out,
                   std::size_t yardsticks = 0);

/// How close to the speed of memory steps came: each step's bytes a second by the mean of the read
/// rates just before and just after it, as the rate of a shared machine flips within a minute.
class ReadShare {
 public:
  /// 0 bytes: only bytes_per_second is reported.
  explicit ReadShare(std::size_t probe_bytes) : rate_(probe_bytes) {}

  /// What the probes hold.
  std::size_t bytes() const { return rate_.bytes(); }

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
