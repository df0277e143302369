#include "workloads/quantization/quantization_workloads.h"

#include <string>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/program/error.h"
#include "workloads/quantization/quantization_parameters.h"
#include "workloads/quantization/quantization_report.h"
#include "workloads/quantization/quantization_runs.h"

namespace perf::workloads {

namespace {

template <CodeType type>
void run(const Settings& settings, perf_compare::StepEmitter& out) {
  require_consistent(settings);
  const Scheme scheme = scheme_from(type, settings);
  try {
    is_streaming(settings) ? run_streaming(scheme, settings, out)
                           : run_in_memory(scheme, settings, out);
  } catch (const BadCheckpoint& bad) {
    throw Error(bad.what_happened, bad.subject, bad.hint);
  }
}

// Phases and checks are those of the model in memory: streaming has others as well, which
// describe's lines of its parameters name.
template <CodeType type>
Workload workload(const char* summary) {
  return {.name = "quantization/" + name_of(type),
          .summary = summary,
          .parameters = quantization_parameters(type),
          .phases = {"embedding", "attention", "mlp"},
          .metrics = quantization_metrics(),
          .checks = quantization_checks(),
          .run = run<type>};
}

}  // namespace

Workload quantization_int8() {
  return workload<CodeType::int8>("Quantizes a model's weights to int8, -127 to 127.");
}

Workload quantization_int4() {
  return workload<CodeType::int4>("Quantizes a model's weights to int4, -8 to 7.");
}

Workload quantization_int2() {
  return workload<CodeType::int2>("Quantizes a model's weights to int2, -2 to 1.");
}

Workload quantization_nf4() {
  return workload<CodeType::nf4>("Quantizes a model's weights to the 16 levels of NF4.");
}

}  // namespace perf::workloads
