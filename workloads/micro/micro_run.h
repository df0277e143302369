#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "workloads/kernels/dtype.h"
#include "workloads/program/parameter.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

/// Which of the machine's limits an operation runs into: program/roofline.h.
enum class Bound { products, memory };

/// One operation that a micro workload repeats: what it reads stays as it is, so that each call
/// does the same. `backward` may be empty.
struct MicroWork {
  std::function<void()> forward, backward = {};
  /// Fills with NaN what a call writes anew (kernels/spoil.h), so that checks see what the last
  /// step wrote. What grows or turns from call to call is not spoilt: it shows how many calls there
  /// were.
  std::function<void()> spoil = {};
  Bound bound = Bound::memory;
  /// Of one call, forward and backward together: floating-point operations of its products, where
  /// those bound it; else bytes that it must read and write, each once, whatever a cache saves.
  double amount = 0;
  /// Bytes of memory, each counted once, that a call touches, where that is not `amount`: half of
  /// it where values are replaced where they lie. 0: as many as `amount`.
  double working_set = 0;
  /// What its products multiply, where those bound it.
  DType dtype = DType::fp32;
};

/// Takes the wanted steps, of `calls` calls each, with the phases forward and, where there is one,
/// backward; and reports call_time, and beside the yardstick of its bound the rate that it reached,
/// forward and backward together:
///     products   flop_rate, gemm_rate, gemm_share (the rate of a product of peak-size^3)
///     memory     bytes_per_second, read_rate, read_share (the rate of reading as many bytes as a
///                call touches, so from the same caches)
/// The yardstick is taken between the steps, and after it one call is not timed: it brings back
/// into the caches what the yardstick has pushed out. Then the results are spoilt. Nothing is
/// called after the last step: what it left is there to be checked (of its calls, the last one's).
void run_micro(const Settings& settings, const MicroWork& work, perf_compare::StepEmitter& out);

/// Whether another step follows those that were taken.
bool steps_follow(const perf_compare::StepEmitter& out);

/// A workload's own parameters, and after them those that all have: calls, with a default for each
/// size, and peak-size where products bound it.
std::vector<Parameter> micro_parameters(std::vector<Parameter> own,
                                        std::array<std::int64_t, 3> calls, Bound bound);
std::vector<std::string> micro_metrics(Bound bound);

}  // namespace perf::workloads
