#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workloads/kernels/read_rate.h"
#include "workloads/program/table.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// What bounds a workload, of the two roofs of Williams, Waterman and Patterson, "Roofline: an
/// insightful visual performance model for multicore architectures" (CACM 52(4), 2009): products,
/// which the machine does at the rate of a square GEMM, or memory, which it reads at a rate. Each
/// workload measures its own roof in the same process, close to its steps, and reports the share
/// of it that it reached.

/// "gemm_rate" and "gemm_share": the machine's rate, and what part of it `flop_rate` is. Nothing
/// where that is 0, not measured.
std::vector<std::string> gemm_share_metrics();
void report_gemm_share(double flop_rate, double gemm_rate, perf_compare::StepEmitter& out);

/// Whether a rate of reading `bytes` can be that of memory, beside that of the nearest caches: a
/// yardstick that is bound by its own instructions finds both alike. Less than 64 MiB may lie in a
/// cache, and is believed.
bool is_rate_of_memory(double rate, std::size_t bytes, double cache_rate);

/// How close to the speed of memory steps came: each step's bytes a second by the mean of the read
/// rates just before and just after it, as the rate of a shared machine flips within a minute.
class ReadShare {
 public:
  /// 0 bytes: only bytes_per_second is reported.
  explicit ReadShare(std::size_t probe_bytes) : rate_(probe_bytes) {}
  /// Against reading this memory, which the workload has anyway: see ReadRate.
  ReadShare(const void* memory, std::size_t bytes) : rate_(memory, bytes) {}

  /// What the probes hold of their own.
  std::size_t bytes() const { return rate_.own_bytes(); }

  /// Call before the first step, and after each one, outside of it. Two passes, and as many as it
  /// takes to read `least` bytes: what lies in a cache is read in no time.
  void probe(std::size_t least = kLeastRead);
  /// The rates that a probe found, of memory and of the nearest cache (0: not measured): of
  /// probe(), or of a caller who reads for himself.
  void probed(double rate, double cache_rate = 0) {
    rates_.push_back(rate);
    cache_rate_ = cache_rate > 0 ? cache_rate : cache_rate_;
  }
  /// What the timed step that ended last read, and how long it took for that.
  void step(double bytes, double seconds) { steps_.push_back(bytes / seconds); }

  /// read_rate (of the probes), bytes_per_second and read_share: medians over the timed steps; and
  /// on the begin line read_rate_bytes, how much a probe reads: it decides whether that comes from
  /// memory or from a cache. Nothing where no step was kept; no read_share where the yardstick is
  /// none: where the nearest cache is read hardly faster than memory.
  static std::vector<std::string> metrics();
  void report(perf_compare::StepEmitter& out) const;

 private:
  static constexpr std::size_t kLeastRead = std::size_t{32} << 20;

  ReadRate rate_;
  double cache_rate_ = 0;  // 0: not measured
  std::vector<double> rates_, steps_;
};

/// What `run` prints of it right under the steps, a line for each roof that was measured:
///     roofline      84.0 %   of 475 GFLOP/s, the rate of a 2048^3 product
///     roofline      67.3 %   of 55.2 GB/s, the rate of reading 256 MiB
/// More than 100 % is no feat: the line says that this was not the limit. "unknown" where there is
/// a rate but no share.
std::string roofline_rows(const perf_compare::StepEmitter& out, std::size_t width = kNameWidth);

}  // namespace perf::workloads
