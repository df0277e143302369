#pragma once

#include <string>
#include <vector>

#include "workloads/kernels/ledger.h"
#include "workloads/step_emitter.h"
#include "workloads/training/finetuning.h"
#include "workloads/training/finetuning_parameters.h"
#include "workloads/training/finetuning_report.h"

namespace perf::workloads {

/// What check_run() checks, in its order.
std::vector<std::string> finetuning_checks(Trained trained);

/// Adds the checks of a run that is over to `out`; where one fails, stderr says where it was worst.
/// The model is of no use afterwards.
void check_run(const FinetuningRun& run, const Ledger& memory, Finetuning& training,
               perf_compare::StepEmitter& out);

}  // namespace perf::workloads
