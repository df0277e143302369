#include "workloads/commands/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "workloads/commands/inference_answers.h"
#include "workloads/commands/output_file.h"
#include "workloads/program/disk_room.h"
#include "workloads/program/error.h"
#include "workloads/program/parameter.h"
#include "workloads/program/seed.h"
#include "workloads/program/table.h"
#include "workloads/training/finetuning_parameters.h"
#include "workloads/training/starting_point.h"

namespace perf::workloads {

namespace {

constexpr char kDefaultModel[] = "qwen2.5-0.5b";

std::vector<Parameter> export_parameters() {
  std::vector<Parameter> parameters = {
      integer("seed", {1, 1, 1}, 0, kMostSeed, "as the workloads have it"),
      choice("dtype", dtype_names(), "of the weights and adapters"),
      integer("batch-size", {0, 0, 0}, 0, 65536, "sequences of tokens and targets; 0: none"),
      integer("seq-len", {0, 0, 0}, 0, 1'000'000, "tokens of a sequence"),
      choice("force", {"off", "on"}, "replace the file where it exists"),
  };
  for (Parameter& parameter : lora_parameters()) {
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

ModelShape named_shape(const std::string& name) {
  try {
    return model_shape(name);
  } catch (const std::invalid_argument&) {
    throw Error("no such model", name, fmt::format("one of: {}", fmt::join(model_names(), ", ")));
  }
}

// A lone model's name is taken for a model whose file was forgotten.
void require_named(const std::string& model, const std::string& file) {
  const std::vector<std::string>& models = model_names();
  if (model.empty() && std::find(models.begin(), models.end(), file) != models.end()) {
    throw Error("no file named", "export " + file,
                fmt::format("perf-workloads export {0} {0}.safetensors", file));
  }
  if (file.empty()) {
    throw Error("no file named", "the file's name is empty", "perf-workloads export [MODEL] FILE");
  }
}

// Adapters are wanted where something was said about them.
bool asks_for_adapters(const std::map<std::string, std::string>& options) {
  return std::any_of(options.begin(), options.end(),
                     [](const auto& option) { return option.first.compare(0, 4, "lora") == 0; });
}

}  // namespace

std::string export_inputs_answer(const Workload& workload, const std::string& file,
                                 const std::map<std::string, std::string>& all_options) {
  const InferenceAnswers* answers = inference_answers(workload.name);
  if (answers == nullptr) {
    throw Error(
        "nothing to export", workload.name,
        fmt::format("a model's name, or one of: {}", fmt::join(inference_answer_names(), ", ")));
  }
  std::map<std::string, std::string> options = all_options;
  const bool force = take_force(options);
  const std::vector<NamedRequest> series = read_run_requests(workload, options);
  require_writable(file, force);
  const std::vector<NamedTensor> tensors = tensors_of_series(series, answers->inputs);
  const std::uint64_t bytes = write_tensors(tensors, "export", file);
  return fmt::format("{}: {} tensors, {} bytes ({}): {}, seed {}\n", file, tensors.size(), bytes,
                     scaled(static_cast<double>(bytes), "B"), workload.name,
                     series.front().request.wanted.seed);
}

std::string export_answer(const std::string& model, const std::string& file,
                          const std::map<std::string, std::string>& options) {
  require_named(model, file);
  const Settings settings(export_parameters(), Size::full, options);
  StartingPoint start;
  start.model = model.empty() ? kDefaultModel : model;
  start.shape = named_shape(start.model);
  start.dtype = dtype_from(settings.text("dtype"));
  start.seed = static_cast<std::uint64_t>(settings.integer("seed"));
  start.batch = static_cast<std::size_t>(settings.integer("batch-size"));
  start.length = static_cast<std::size_t>(settings.integer("seq-len"));
  if ((start.batch == 0) != (start.length == 0)) {
    throw Error("half of a batch",
                fmt::format("--batch-size {} --seq-len {}", start.batch, start.length),
                "both, or neither");
  }
  if (asks_for_adapters(options)) {
    start.lora = lora_from(settings, start.shape.layers);
  }
  require_writable(file, settings.text("force") == "on");

  const std::vector<SafetensorsEntry> tensors = tensors_of(start);
  std::uint64_t expected = 0;
  for (const SafetensorsEntry& tensor : tensors) {
    expected += tensor.bytes();
  }
  require_disk_room(file, expected);
  const std::uint64_t bytes = write_starting_point(start, file);
  return fmt::format("{}: {} tensors, {} bytes ({}): {}, {}, seed {}\n", file, tensors.size(),
                     bytes, scaled(static_cast<double>(bytes), "B"), start.model,
                     name_of(start.dtype), start.seed);
}

}  // namespace perf::workloads
