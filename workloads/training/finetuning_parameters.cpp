#include "workloads/training/finetuning_parameters.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workloads/program/backend_parameter.h"
#include "workloads/program/error.h"
#include "workloads/program/model_parameters.h"
#include "workloads/training/lora_choice.h"

namespace perf::workloads {

namespace {

// Gradients of a mean over a few hundred tokens go down to 1e-8, where Fp16 ends.
constexpr double kFp16LossScale = 1024;
// Fp16 ends at 65504, and what is scaled starts from about one.
constexpr double kMostFp16LossScale = 1 << 15;

void require_targets(const std::string& text) {
  lora_targets_from(text);
}
void require_layers(const std::string& text) {
  lora_layers_from(text, kMostLayers);
}

DType state_dtype(const std::string& name, DType dtype) {
  if (name == "fp32" || (name == "auto" && dtype == DType::fp16)) {
    return DType::fp32;
  }
  return dtype;
}

void require_representable(const TrainingSetup& setup) {
  if (setup.dtype != DType::fp16) {
    return;
  }
  if (setup.loss_scale > kMostFp16LossScale) {
    throw Error("gradients so large overflow fp16",
                fmt::format("--dtype fp16 --loss-scale {}", setup.loss_scale),
                fmt::format("--loss-scale {}, at most {}", kFp16LossScale, kMostFp16LossScale));
  }
  if (!setup.gradients_only && setup.optimizer.kind == OptimizerKind::adamw &&
      setup.state_dtype == DType::fp16) {
    throw Error("AdamW's variance is too small for fp16 and would stay 0",
                "--dtype fp16 --optimizer adamw --state-dtype same",
                "--state-dtype fp32, or --optimizer momentum");
  }
}

void append(std::vector<Parameter>& parameters, std::vector<Parameter> more) {
  for (Parameter& parameter : more) {
    parameters.push_back(std::move(parameter));
  }
}

std::vector<Parameter> optimizer_parameters() {
  return {
      choice("optimizer", optimizer_names(), "the rule that changes trained weights"),
      choice("state-dtype", {"auto", "same", "fp32"},
             "of the optimizer's states; auto: as dtype, but fp32 for fp16"),
      real("learning-rate", 1e-4, 0, 1, "of each step"),
      real("weight-decay", 0.01, 0, 1, "decoupled, times the learning rate"),
  };
}

}  // namespace

std::vector<Parameter> lora_parameters() {
  return {
      integer("lora-rank", {8, 8, 8}, 1, 4096, "of each adapter"),
      text("lora-targets", "q,v", require_targets,
           "maps with an adapter: any of q,k,v,o,gate,up,down"),
      text("lora-layers", "all", require_layers, "layers with adapters, such as 0,3,8-11"),
  };
}

LoraOptions lora_from(const Settings& settings, int layers) {
  LoraOptions lora{.rank = settings.count("lora-rank"),
                   .targets = lora_targets_from(settings.text("lora-targets")),
                   .layers = {}};
  const std::string& chosen = settings.text("lora-layers");
  try {
    lora.layers = lora_layers_from(chosen, layers);
  } catch (const std::invalid_argument& error) {
    throw Error("the model has no such layer", "--lora-layers " + chosen, error.what());
  }
  return lora;
}

std::vector<Parameter> finetuning_parameters(Trained trained) {
  std::vector<Parameter> parameters = {
      model_parameter(),
      checkpoint_parameter(),
      backend_parameter({"auto"}),
      choice("dtype", dtype_names(), "of weights, gradients and activations"),
      integer("batch-size", {1, 1, 1}, 1, 65536, "sequences B a step"),
      integer("seq-len", {128, 128, 512}, 1, 1'000'000, "tokens L of a sequence"),
      choice("checkpointing", {"off", "on"}, "keep layers' inputs only, compute the rest again"),
      real("loss-scale", 0, 0, 1 << 24, "gradients are that much larger; 0: 1024 for fp16, else 1"),
  };
  if (trained != Trained::gradients) {
    append(parameters, optimizer_parameters());
  }
  if (trained != Trained::model) {
    append(parameters, lora_parameters());
    parameters.push_back(real("lora-alpha", 16, 1e-6, 1e6, "adapters count alpha/rank times"));
  }
  parameters.push_back(integer("peak-size", {512, 512, 2048}, 0, 16384,
                               "n of the n^3 product whose rate is the yardstick; 0: none"));
  append(parameters, shape_parameters());
  return parameters;
}

TrainingSetup training_setup(Trained trained, const Settings& settings) {
  const std::int64_t tokens = settings.integer("batch-size") * settings.integer("seq-len");
  if (tokens > kMostTokens) {
    throw Error("too many tokens in a step",
                fmt::format("{} times {}", settings.text("batch-size"), settings.text("seq-len")),
                fmt::format("at most {}", kMostTokens));
  }
  TrainingSetup setup;
  setup.shape = parameter_source(settings, 0)->shape();
  setup.batch = settings.count("batch-size");
  setup.length = settings.count("seq-len");
  setup.dtype = dtype_from(settings.text("dtype"));
  setup.backend = backend_from(chosen_backend(settings.text("backend")));
  setup.checkpointing = settings.text("checkpointing") == "on";
  setup.gradients_only = trained == Trained::gradients;
  setup.loss_scale = settings.real("loss-scale");
  if (setup.loss_scale == 0) {
    setup.loss_scale = setup.dtype == DType::fp16 ? kFp16LossScale : 1;
  }
  if (trained != Trained::gradients) {
    setup.optimizer.kind = optimizer_from(settings.text("optimizer"));
    setup.optimizer.adamw.learning_rate = settings.real("learning-rate");
    setup.optimizer.adamw.weight_decay = settings.real("weight-decay");
    setup.state_dtype = state_dtype(settings.text("state-dtype"), setup.dtype);
  }
  if (trained != Trained::model) {
    setup.lora = lora_from(settings, setup.shape.layers);
    setup.lora.alpha = settings.real("lora-alpha");
  }
  require_representable(setup);
  return setup;
}

std::string described(const TrainingSetup& setup, const std::string& model) {
  std::string text = setup.trains_all()     ? "full fine-tuning"
                     : setup.gradients_only ? "the gradients of adapters"
                                            : "LoRA";
  text += fmt::format(" of {}, {} x {} tokens in {}", model, setup.batch, setup.length,
                      name_of(setup.dtype));
  if (!setup.gradients_only) {
    text += " with " + name_of(setup.optimizer.kind);
  }
  return text + (setup.checkpointing ? " and checkpointing" : "");
}

}  // namespace perf::workloads
