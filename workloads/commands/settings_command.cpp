#include "workloads/commands/settings_command.h"

#include <algorithm>

#include "workloads/commands/inference_answers.h"
#include "workloads/program/environment.h"
#include "workloads/program/memory.h"
#include "workloads/program/plant.h"
#include "workloads/program/run_command.h"
#include "workloads/quantization/in_memory.h"
#include "workloads/quantization/quantization_parameters.h"
#include "workloads/quantization/synthetic_model.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_workloads.h"
#include "workloads/training/memory_model.h"
#include "workloads/training/step_operations.h"

namespace perf::workloads {

namespace {

using perf_compare::Fields;

// One member after the other, without the braces.
std::string members(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) {
    text += (text.empty() ? "" : ", ") + perf_compare::Json::quote(name) + ": " + value.encoded();
  }
  return text;
}

std::string member(const std::string& name, const Fields& fields) {
  return ", " + perf_compare::Json::quote(name) + ": {" + members(fields) + "}";
}

Fields model_fields(const ModelShape& shape) {
  return {{"layers", shape.layers},
          {"hidden", shape.hidden},
          {"heads", shape.heads},
          {"kv_heads", shape.kv_heads},
          {"head_size", shape.head_size},
          {"intermediate", shape.intermediate},
          {"vocabulary", shape.vocabulary},
          {"rope_theta", shape.rope_theta},
          {"norm_epsilon", shape.norm_epsilon},
          {"is_tied", shape.is_tied},
          {"has_qkv_bias", shape.has_qkv_bias},
          {"rope_factor", shape.rope_scaling.factor},
          {"rope_low_frequency", shape.rope_scaling.low_frequency},
          {"rope_high_frequency", shape.rope_scaling.high_frequency},
          {"rope_original_positions", shape.rope_scaling.original_positions}};
}

Fields training_fields(const TrainingSetup& setup) {
  return {{"batch", setup.batch},
          {"length", setup.length},
          {"dtype", name_of(setup.dtype)},
          {"state_dtype", name_of(setup.state_dtype)},
          {"loss_scale", setup.loss_scale},
          {"gradients_only", setup.gradients_only},
          {"parameters", setup.shape.parameters()},
          {"trained_parameters", setup.trained_parameters()},
          {"operations", step_operations(setup)}};
}

Fields optimizer_fields(const OptimizerOptions& optimizer) {
  return {{"kind", name_of(optimizer.kind)},
          {"beta1", optimizer.adamw.beta1},
          {"beta2", optimizer.adamw.beta2},
          {"epsilon", optimizer.adamw.epsilon},
          {"momentum", optimizer.momentum}};
}

std::string memory_member(std::size_t predicted) {
  return member("memory", {{"predicted", predicted}, {"available", available_memory()}});
}

std::string training_members(Trained trained, const Settings& settings, int threads) {
  const TrainingSetup setup = training_setup(trained, settings);
  return member("model", model_fields(setup.shape)) + ", \"training\": {" +
         members(training_fields(setup)) + member("optimizer", optimizer_fields(setup.optimizer)) +
         member("first_loss", {{"expected", expected_first_loss(setup.shape)},
                               {"tolerance", kFirstLossTolerance}}) +
         "}" + memory_member(static_cast<std::size_t>(memory_model(setup, threads).total()));
}

// "int8" of "quantization/int8"; nothing of another workload.
std::string quantized_to(const std::string& workload) {
  const std::string family = "quantization/";
  return workload.rfind(family, 0) == 0 ? workload.substr(family.size()) : "";
}

// A checkpoint's tensors stand in its file.
std::string quantization_members(const std::string& type, const Settings& settings,
                                 std::uint64_t seed) {
  require_consistent(settings);
  if (!settings.text("checkpoint").empty()) {
    return "";
  }
  const Scheme scheme = scheme_from(code_type_from(type), settings);
  const SyntheticTensors source(synthetic_shape_from(settings), seed);
  std::string tensors;
  for (const Tensor& tensor : source.tensors()) {
    tensors += (tensors.empty() ? "{" : ", {") +
               members({{"name", tensor.name},
                        {"part", tensor.part},
                        {"rows", tensor.rows},
                        {"columns", tensor.columns}}) +
               "}";
  }
  return ", \"quantization\": {" +
         members({{"type", type},
                  {"bits", bits_of(scheme.type)},
                  {"group", scheme.group},
                  {"parameters", source.values()},
                  {"deviation", SyntheticTensors::kDeviation}}) +
         ", \"tensors\": [" + tensors + "]}" +
         memory_member(InMemoryQuantization::memory(source, scheme));
}

std::string inference_members(const InferenceAnswers& answers,
                              const std::vector<NamedRequest>& series) {
  std::string text, all;
  std::size_t largest = 0;
  for (const auto& [name, request] : series) {
    const std::size_t predicted = answers.memory(request);
    largest = std::max(largest, predicted);
    all += (all.empty() ? "{" : ", {") + members({{"name", name}}) +
           member("params", request.identity) + member("inference", answers.fields(request)) +
           member("memory", {{"predicted", predicted}}) + "}";
  }
  if (answers.shape != nullptr) {
    text += member("model", model_fields(answers.shape(series.front().request)));
  }
  return text + ", \"series\": [" + all + "]" + memory_member(largest);
}

}  // namespace

std::string settings_answer(const Workload& workload,
                            const std::map<std::string, std::string>& options) {
  const std::vector<NamedRequest> series = read_run_requests(workload, options);
  const RunRequest request = read_run_request(workload, options);
  const Planted plants = planted(request.settings);
  const int threads = use_threads(request.settings.count("threads"));
  perf_compare::StepEmitter described(request.wanted, workload.name, {});
  describe_environment(threads, described);
  std::string text = "{" + members({{"workload", workload.name},
                                    {"steps", request.wanted.steps},
                                    {"warmup", request.wanted.warmup},
                                    {"seed", request.wanted.seed},
                                    {"planted", plants.slowdown > 0 || plants.allocation > 0}});
  text += member("params", request.identity);
  text += member("environment", described.environment());
  if (const std::optional<Trained> trained = trained_by(workload.name)) {
    text += training_members(*trained, request.settings, threads);
  } else if (const InferenceAnswers* answers = inference_answers(workload.name)) {
    text += inference_members(*answers, series);
  } else if (const std::string type = quantized_to(workload.name); !type.empty()) {
    text += quantization_members(type, request.settings, request.wanted.seed);
  }
  return text + "}\n";
}

}  // namespace perf::workloads
