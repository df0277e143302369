#include "workloads/micro/layer_workload.h"

#include <fmt/format.h>

#include "workloads/kernels/dtype.h"
#include "workloads/micro/layer_check.h"
#include "workloads/micro/micro_run.h"
#include "workloads/program/backend_parameter.h"
#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/model_parameters.h"
#include "workloads/training/finetuning_parameters.h"

namespace perf::workloads {

namespace {

using perf_compare::Better;
using perf_compare::StepEmitter;

template <class T>
void run_typed(LayerPart part, const TrainingSetup& setup, const Settings& settings,
               StepEmitter& out) {
  require_memory(LayerUnderTest<T>::bytes(setup),
                 fmt::format("a layer of {} over {} tokens", settings.text("model"), setup.rows()));
  LayerUnderTest<T> layer(part, setup, out.wanted().seed);
  run_micro(settings,
            {.forward = [&] { layer.forward(); },
             .backward = [&] { layer.backward(); },
             .spoil = [&] { layer.spoil_results(); },
             .bound = Bound::products,
             .amount = layer_operations(part, setup),
             .dtype = setup.dtype},
            out);
  out.metric("tokens_per_second", "1/s", Better::higher,
             static_cast<double>(setup.rows()) * settings.count("calls") / out.median_seconds());
  check_layer(layer, out);
}

}  // namespace

TrainingSetup layer_setup(LayerPart part, const Settings& settings) {
  const std::int64_t batch = settings.integer("batch-size"), length = settings.integer("seq-len");
  if (batch * length > kMostTokens) {
    throw Error("too many tokens in a call",
                fmt::format("--batch-size {} times --seq-len {}", batch, length),
                fmt::format("at most {}", kMostTokens));
  }
  TrainingSetup setup = layer_setup(part, model_shape(settings.text("model")));
  setup.batch = settings.count("batch-size");
  setup.length = settings.count("seq-len");
  setup.dtype = dtype_from(settings.text("dtype"));
  setup.backend = backend_from(chosen_backend(settings.text("backend")));
  return setup;
}

void run_layer(LayerPart part, const Settings& settings, StepEmitter& out) {
  const TrainingSetup setup = layer_setup(part, settings);
  out.begin_field("tokens_per_step", setup.rows() * settings.count("calls"));
  out.environment("backend", chosen_backend(settings.text("backend")));
  describe_products(setup.backend, setup.dtype, out);
  switch (setup.dtype) {
    case DType::fp32:
      return run_typed<float>(part, setup, settings, out);
    case DType::bf16:
      return run_typed<Bf16>(part, setup, settings, out);
    case DType::fp16:
      return run_typed<Fp16>(part, setup, settings, out);
  }
}

Workload layer_workload(const std::string& name, const std::string& summary) {
  const std::vector<Parameter> own = {
      model_parameter(),
      backend_parameter({"auto"}),
      choice("dtype", dtype_names(), "of weights, gradients and activations"),
      integer("batch-size", {1, 1, 1}, 1, 65536, "sequences B"),
      integer("seq-len", {64, 64, 512}, 2, 1'000'000,
              "tokens L of a sequence; of one alone queries have no gradient"),
  };
  Workload workload{.name = "micro/" + name,
                    .summary = summary,
                    .parameters = micro_parameters(own, {1, 1, 1}, Bound::products),
                    .phases = {"forward", "backward"},
                    .metrics = micro_metrics(Bound::products),
                    .checks = layer_checks()};
  workload.metrics.emplace_back("tokens_per_second");
  return workload;
}

}  // namespace perf::workloads
