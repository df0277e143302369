#include "workloads/training/finetuning_workloads.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "workloads/kernels/gemm_rate.h"
#include "workloads/program/backend_parameter.h"
#include "workloads/program/energy.h"
#include "workloads/program/environment.h"
#include "workloads/program/memory.h"
#include "workloads/program/model_parameters.h"
#include "workloads/program/peak_memory.h"
#include "workloads/training/finetuning_checks.h"
#include "workloads/training/finetuning_in_memory.h"
#include "workloads/training/finetuning_parameters.h"
#include "workloads/training/finetuning_report.h"
#include "workloads/training/memory_fit.h"

namespace perf::workloads {

namespace {

using perf_compare::StepEmitter;

// The yardstick is taken on both sides of the steps, so that a machine that speeds up meanwhile
// does not make the share look good.
constexpr int kRateTimes = 5;

void train(Finetuning& training, StepEmitter& out, FinetuningRun& run) {
  const bool has_optimizer = !training.setup().gradients_only;
  EnergyMeter energy;
  std::optional<double> before = energy.joules();
  while (out.next_step()) {
    training.forward();
    out.phase("forward");
    run.last_loss = training.loss();
    out.phase("loss");
    training.backward();
    out.phase("backward");
    if (has_optimizer) {
      training.update();
      out.phase("optimizer");
    }
    out.stop_step();
    if (out.steps().size() == 1) {
      run.first_loss = run.last_loss;
    }
    if (out.steps().back().warmup) {
      before = energy.joules();
    }
  }
  if (const std::optional<double> after = energy.joules(); before && after) {
    run.joules = *after - *before;
  }
}

void run(Trained trained, const Settings& settings, StepEmitter& out) {
  const TrainingSetup setup = training_setup(trained, settings);
  const int threads = omp_get_max_threads();
  FinetuningRun run;
  run.predicted = memory_model(setup, threads);
  run.available = available_memory();
  run.noise += threads * kThreadNoise;
  if (setup.backend == Backend::onednn) {
    run.noise += kCompilerNoise;
  }
  const std::string model = shape_name(settings);
  require_fit(setup, described(setup, model), threads, run.available);

  out.begin_field("tokens_per_step", setup.rows());
  out.begin_field("parameters", run.predicted.parameters);
  out.begin_field("trained_parameters", run.predicted.trained);
  describe_prediction(run.predicted, out);
  out.environment("backend", chosen_backend(settings.text("backend")));
  describe_products(setup.backend, setup.dtype, out);
  if (model != settings.text("model")) {
    out.environment("model", model);
  }

  GemmRate gemm_rate(settings.count("peak-size"), setup.dtype);
  gemm_rate.measure(kRateTimes);
  run.resident = resident_memory();
  const bool has_checkpoint = !settings.text("checkpoint").empty();
  // Closed before the steps: what is mapped of it counts as resident.
  std::unique_ptr<ParameterSource> source =
      has_checkpoint ? parameter_source(settings, 0) : nullptr;
  FinetuningInMemory training(setup, out.wanted().seed, source.get());
  if (source != nullptr) {
    run.start = start_errors(training.model(), *source);
    source.reset();
    give_back_freed_memory();  // of the reference's
  }
  const PeakMemory peak;  // what reading and checking a checkpoint took is none of the training's
  train(training.model(), out, run);
  run.peak = peak.bytes(out);
  gemm_rate.measure(kRateTimes);
  run.gemm_rate = gemm_rate.rate();
  run.operations = training.model().operations();
  report_run(run, training.memory(), setup.rows(), out);

  check_run(run, training.memory(), training.model(), out);
}

constexpr char kFamily[] = "training/";

struct FinetuningKind {
  Trained trained;
  const char *name, *summary;
};
constexpr std::array<FinetuningKind, 3> kFinetunings = {{
    {Trained::model, "full_finetune",
     "Trains all parameters of a decoder: forward, loss, backward, optimizer."},
    {Trained::adapters, "lora_finetune", "Trains low-rank adapters beside a frozen decoder."},
    {Trained::gradients, "gradient",
     "The gradients of low-rank adapters: forward, loss and backward."},
}};

template <Trained trained>
Workload workload() {
  const FinetuningKind& kind =
      *std::find_if(kFinetunings.begin(), kFinetunings.end(),
                    [](const FinetuningKind& one) { return one.trained == trained; });
  Workload workload{.name = std::string(kFamily) + kind.name,
                    .summary = kind.summary,
                    .parameters = finetuning_parameters(trained),
                    .phases = {"forward", "loss", "backward"},
                    .metrics = finetuning_metrics(),
                    .checks = finetuning_checks(trained)};
  workload.metrics_of_some_machines = finetuning_energy_metrics();
  if (trained != Trained::gradients) {
    workload.phases.emplace_back("optimizer");
  }
  workload.run = [](const Settings& settings, StepEmitter& out) { run(trained, settings, out); };
  return workload;
}

}  // namespace

Workload training_full_finetune() {
  return workload<Trained::model>();
}

Workload training_lora_finetune() {
  return workload<Trained::adapters>();
}

Workload training_gradient() {
  return workload<Trained::gradients>();
}

std::optional<Trained> trained_by(const std::string& workload) {
  for (const FinetuningKind& kind : kFinetunings) {
    if (workload == std::string(kFamily) + kind.name) {
      return kind.trained;
    }
  }
  return std::nullopt;
}

}  // namespace perf::workloads
