#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/step_emitter.h"
#include "workloads/training/finetuning.h"
#include "workloads/training/finetuning_check_timed.h"
#include "workloads/training/memory_model.h"

namespace perf::workloads {

inline constexpr double kAllocatorNoise = 8e6, kCompilerNoise = 12e6, kThreadNoise = 5e5;

/// What a run of a training workload found out beside its steps.
struct FinetuningRun {
  MemoryModel predicted;
  std::size_t available = 0;  ///< B before anything was taken; 0: unknown
  std::size_t resident = 0;   ///< B of the process before the model was made
  std::size_t peak = 0;       ///< B of the process after the steps
  /// B that the allocator and libraries take beside it: 1 to 4 MB were seen
  /// with 2 threads, 7 with 8. oneDNN compiles its
  /// kernels for each shape, which takes another 10.
  double noise = kAllocatorNoise;
  double first_loss = 0, last_loss = 0;
  std::optional<StartErrors> start;  ///< where the weights are a checkpoint's
  double operations = 0;             ///< of one step
  double gemm_rate = 0;              ///< 0: not measured
  std::optional<double> joules;      ///< of all timed steps
};

/// What report_run() reports, in its order.
std::vector<std::string> finetuning_metrics();
/// Those of them that only some machines have.
std::vector<std::string> finetuning_energy_metrics();

/// Adds the metrics of `run` to `out`, memory by purpose as `memory` has counted it.
void report_run(const FinetuningRun& run, const Ledger& memory, std::size_t tokens,
                perf_compare::StepEmitter& out);

/// Says on the begin line what the memory model predicts, by purpose.
void describe_prediction(const MemoryModel& predicted, perf_compare::StepEmitter& out);

/// A model and a measurement may differ by a tenth.
inline constexpr double kMemoryTolerance = 0.1;

/// |growth of the process / predicted - 1|. Ten times `noise` is the least that it counts against,
/// so that with the tolerance above `noise` is forgiven.
double growth_drift(const FinetuningRun& run);

}  // namespace perf::workloads
