#include "workloads/training/finetuning_workloads.h"

#include <omp.h>

#include <cmath>
#include <limits>

#include "workloads/kernels/gemm_rate.h"
#include "workloads/program/energy.h"
#include "workloads/program/environment.h"
#include "workloads/program/memory.h"
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
    if (out.steps().size() == 1)
      run.first_loss = run.last_loss;
    if (out.steps().back().warmup)
      before = energy.joules();
  }
  if (const std::optional<double> after = energy.joules(); before && after)
    run.joules = *after - *before;
}

void run(Trained trained, const Settings& settings, StepEmitter& out) {
  const TrainingSetup setup = training_setup(trained, settings);
  const int threads = omp_get_max_threads();
  FinetuningRun run;
  run.predicted = memory_model(setup, threads);
  run.available = available_memory();
  run.noise += threads * kThreadNoise;
  if (setup.backend == Backend::onednn)
    run.noise += kCompilerNoise;
  require_fit(setup, described(setup, settings.text("model")), threads, run.available);

  out.begin_field("tokens_per_step", setup.rows());
  out.begin_field("parameters", run.predicted.parameters);
  out.begin_field("trained_parameters", run.predicted.trained);
  describe_prediction(run.predicted, out);
  out.environment("backend", chosen_backend(settings.text("backend"), setup.dtype));
  describe_products(setup.backend, setup.dtype, out);

  GemmRate gemm_rate(settings.count("peak-size"), setup.dtype);
  gemm_rate.measure(kRateTimes);
  run.resident = resident_memory();
  FinetuningInMemory training(setup, out.wanted().seed);
  train(training.model(), out, run);
  run.peak = peak_resident_memory();
  gemm_rate.measure(kRateTimes);
  run.gemm_rate = gemm_rate.rate();
  run.operations = training.model().operations();
  report_run(run, training.memory(), setup.rows(), out);

  check_run(run, training.memory(), training.model(), out);
}

Workload workload(Trained trained, std::string name, std::string summary) {
  Workload workload{.name = "training/" + std::move(name),
                    .summary = std::move(summary),
                    .parameters = finetuning_parameters(trained),
                    .phases = {"forward", "loss", "backward"},
                    .metrics = finetuning_metrics(),
                    .checks = finetuning_checks(trained),
                    .run = nullptr};
  workload.metrics_of_some_machines = finetuning_energy_metrics();
  if (trained != Trained::gradients)
    workload.phases.emplace_back("optimizer");
  return workload;
}

}  // namespace

Workload training_full_finetune() {
  Workload own =
      workload(Trained::model, "full_finetune",
               "Trains all parameters of a decoder: forward, loss, backward, optimizer.");
  own.run = [](const Settings& settings, StepEmitter& out) { run(Trained::model, settings, out); };
  return own;
}

Workload training_lora_finetune() {
  Workload own = workload(Trained::adapters, "lora_finetune",
                          "Trains low-rank adapters beside a frozen decoder.");
  own.run = [](const Settings& settings, StepEmitter& out) {
    run(Trained::adapters, settings, out);
  };
  return own;
}

Workload training_gradient() {
  Workload own = workload(Trained::gradients, "gradient",
                          "The gradients of low-rank adapters: forward, loss and backward.");
  own.run = [](const Settings& settings, StepEmitter& out) {
    run(Trained::gradients, settings, out);
  };
  return own;
}

}  // namespace perf::workloads
