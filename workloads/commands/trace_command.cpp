#include "workloads/commands/trace_command.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "workloads/commands/inference_answers.h"
#include "workloads/commands/output_file.h"
#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/model_parameters.h"
#include "workloads/program/run_command.h"
#include "workloads/training/finetuning_in_memory.h"
#include "workloads/training/finetuning_workloads.h"
#include "workloads/training/memory_fit.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kMostLogitRows = 8;

using Tensors = std::vector<NamedTensor>;

void trace_layers(const Finetuning& training, Tensors& tensors) {
  const TrainingSetup& setup = training.setup();
  for (int layer = 0; layer <= setup.shape.layers; ++layer) {
    tensors.push_back({fmt::format("layer.{}", layer),
                       {setup.rows(), setup.shape.width()},
                       training.layer_input(layer)});
  }
}

// Evenly spread over the batch, the last row among them.
void trace_logits(Finetuning& training, Tensors& tensors) {
  const std::size_t rows = training.setup().rows(), count = std::min(rows, kMostLogitRows);
  NamedTensor which{"logit_rows", {count}, {}};
  NamedTensor logits{"logits", {count, training.setup().shape.tokens()}, {}};
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t row = i * rows / count - 1;
    const std::vector<float> values = training.logits(row);
    which.floats.push_back(static_cast<float>(row));
    logits.floats.insert(logits.floats.end(), values.begin(), values.end());
  }
  tensors.push_back(std::move(which));
  tensors.push_back(std::move(logits));
}

Tensors traced(Finetuning& training, int steps) {
  const TrainingSetup& setup = training.setup();
  const std::size_t count = setup.trained_parameters();
  Tensors tensors;
  NamedTensor losses{"losses", {static_cast<std::size_t>(steps)}, {}};
  for (int step = 0; step < steps; ++step) {
    training.forward();
    if (step == 0) {
      trace_layers(training, tensors);
      trace_logits(training, tensors);
    }
    losses.floats.push_back(static_cast<float>(training.loss()));
    training.backward();
    if (step == 0 && count <= kMostTraced) {
      tensors.push_back({"gradients", {count}, training.gradients()});
    }
    if (!setup.gradients_only) {
      training.update();
    }
  }
  if (count <= kMostTraced) {
    tensors.push_back(
        {"trained", {count}, setup.trains_all() ? training.parameters() : training.adapters()});
  }
  tensors.push_back(std::move(losses));
  return tensors;
}

Tensors training_trace(Trained trained, const RunRequest& request) {
  const TrainingSetup setup = training_setup(trained, request.settings);
  require_fit(setup, described(setup, shape_name(request.settings)), omp_get_max_threads(),
              available_memory());
  const std::unique_ptr<ParameterSource> source =
      parameter_source(request.settings, request.wanted.seed);
  FinetuningInMemory training(setup, request.wanted.seed, source.get());
  return traced(training.model(), request.wanted.steps);
}

}  // namespace

std::string trace_answer(const Workload& workload, const std::string& file,
                         const std::map<std::string, std::string>& all_options) {
  std::map<std::string, std::string> options = all_options;
  const bool force = take_force(options);
  const std::optional<Trained> trained = trained_by(workload.name);
  const InferenceAnswers* inference = inference_answers(workload.name);
  if (!trained && inference == nullptr) {
    throw Error("nothing to trace", workload.name,
                "a workload with a decoder, such as training/full_finetune or inference/generate");
  }
  const std::vector<NamedRequest> series = read_run_requests(workload, options);
  const RunRequest& request = series.front().request;
  require_writable(file, force);
  keep_freed_memory();
  use_threads(request.settings.count("threads"));
  const Tensors tensors =
      trained ? training_trace(*trained, request) : tensors_of_series(series, inference->trace);
  const std::uint64_t bytes = write_tensors(tensors, "trace", file);
  return fmt::format("{}: {} tensors of {} steps, {} bytes\n", file, tensors.size(),
                     request.wanted.steps, bytes);
}

}  // namespace perf::workloads
