#include "workloads/commands/trace_command.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "workloads/commands/settings_command.h"
#include "workloads/model/safetensors.h"
#include "workloads/program/environment.h"
#include "workloads/program/error.h"
#include "workloads/program/memory.h"
#include "workloads/program/run_command.h"
#include "workloads/training/finetuning_in_memory.h"
#include "workloads/training/memory_fit.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kMostLogitRows = 8;

struct Tensor {
  std::string name;
  std::vector<std::size_t> shape;
  std::vector<float> values;
};

using Tensors = std::vector<Tensor>;

void trace_layers(const Finetuning& training, Tensors& tensors) {
  const TrainingSetup& setup = training.setup();
  for (int layer = 0; layer <= setup.shape.layers; ++layer)
    tensors.push_back({fmt::format("layer.{}", layer),
                       {setup.rows(), setup.shape.width()},
                       training.layer_input(layer)});
}

// Evenly spread over the batch, the last row among them.
void trace_logits(Finetuning& training, Tensors& tensors) {
  const std::size_t rows = training.setup().rows(), count = std::min(rows, kMostLogitRows);
  Tensor which{"logit_rows", {count}, {}};
  Tensor logits{"logits", {count, training.setup().shape.tokens()}, {}};
  for (std::size_t i = 1; i <= count; ++i) {
    const std::size_t row = i * rows / count - 1;
    const std::vector<float> values = training.logits(row);
    which.values.push_back(static_cast<float>(row));
    logits.values.insert(logits.values.end(), values.begin(), values.end());
  }
  tensors.push_back(std::move(which));
  tensors.push_back(std::move(logits));
}

Tensors traced(Finetuning& training, int steps) {
  const TrainingSetup& setup = training.setup();
  const std::size_t count = setup.trained_parameters();
  Tensors tensors;
  Tensor losses{"losses", {static_cast<std::size_t>(steps)}, {}};
  for (int step = 0; step < steps; ++step) {
    training.forward();
    if (step == 0) {
      trace_layers(training, tensors);
      trace_logits(training, tensors);
    }
    losses.values.push_back(static_cast<float>(training.loss()));
    training.backward();
    if (step == 0 && count <= kMostTraced)
      tensors.push_back({"gradients", {count}, training.gradients()});
    if (!setup.gradients_only)
      training.update();
  }
  if (count <= kMostTraced)
    tensors.push_back(
        {"trained", {count}, setup.trains_all() ? training.parameters() : training.adapters()});
  tensors.push_back(std::move(losses));
  return tensors;
}

std::uint64_t write(const Tensors& tensors, const std::string& file) {
  std::vector<SafetensorsEntry> entries;
  std::uint64_t bytes = 0;
  for (const Tensor& tensor : tensors) {
    entries.push_back({tensor.name, "F32", tensor.shape});
    bytes += entries.back().bytes();
  }
  SafetensorsWriter out(file, safetensors_header(entries, {{"made_by", "perf-workloads trace"}}),
                        bytes);
  for (const Tensor& tensor : tensors)
    out.append(tensor.values.data(), tensor.values.size() * sizeof(float));
  out.finish();
  return bytes;
}

}  // namespace

std::string trace_answer(const Workload& workload, const std::string& file,
                         const std::map<std::string, std::string>& options) {
  const std::optional<Trained> trained = trained_by(workload.name);
  if (!trained)
    throw Error("nothing to trace", workload.name,
                "a workload that trains a decoder, such as "
                "training/full_finetune");
  const RunRequest request = read_run_request(workload, options);
  const TrainingSetup setup = training_setup(*trained, request.settings);
  keep_freed_memory();
  use_threads(request.settings.count("threads"));
  require_fit(setup, described(setup, request.settings.text("model")), omp_get_max_threads(),
              available_memory());
  FinetuningInMemory training(setup, request.wanted.seed);
  const Tensors tensors = traced(training.model(), request.wanted.steps);
  const std::uint64_t bytes = write(tensors, file);
  return fmt::format("{}: {} tensors of {} steps, {} bytes\n", file, tensors.size(),
                     request.wanted.steps, bytes);
}

}  // namespace perf::workloads
