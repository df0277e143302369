#include "workloads/commands/settings_command.h"

#include "workloads/program/environment.h"
#include "workloads/program/memory.h"
#include "workloads/program/plant.h"
#include "workloads/program/run_command.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/memory_model.h"
#include "workloads/training/step_operations.h"

namespace perf::workloads {

namespace {

using perf_compare::Fields;
using perf_compare::Json;

// One member after the other, without the braces.
std::string members(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields)
    text += (text.empty() ? "" : ", ") + Json::quote(name) + ": " + value.encoded();
  return text;
}

std::string member(const std::string& name, const Fields& fields) {
  return ", " + Json::quote(name) + ": {" + members(fields) + "}";
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
          {"norm_epsilon", shape.norm_epsilon}};
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

}  // namespace

std::optional<Trained> trained_by(const std::string& workload) {
  if (workload == "training/full_finetune")
    return Trained::model;
  if (workload == "training/lora_finetune")
    return Trained::adapters;
  if (workload == "training/gradient")
    return Trained::gradients;
  return std::nullopt;
}

std::string settings_answer(const Workload& workload,
                            const std::map<std::string, std::string>& options) {
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
    const TrainingSetup setup = training_setup(*trained, request.settings);
    text += member("model", model_fields(setup.shape));
    text += ", \"training\": {" + members(training_fields(setup)) +
            member("optimizer", optimizer_fields(setup.optimizer)) +
            member("first_loss", {{"expected", expected_first_loss(setup.shape)},
                                  {"tolerance", kFirstLossTolerance}}) +
            "}";
    text += member("memory", {{"predicted", memory_model(setup, threads).total()},
                              {"available", available_memory()}});
  }
  return text + "}\n";
}

}  // namespace perf::workloads
