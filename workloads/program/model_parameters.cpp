#include "workloads/program/model_parameters.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/checkpoint.h"
#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

// One token leaves nothing to predict.
void require_vocabulary(const std::string& text) {
  if (text == "1") {
    throw std::invalid_argument("2 or more, or 0 for the model's own");
  }
}

// A checkpoint has a shape of its own.
void require_no_shape(const Settings& settings) {
  std::vector<Parameter> parameters = shape_parameters();
  parameters.push_back(model_parameter());
  for (const Parameter& parameter : parameters) {
    if (settings.given(parameter.name)) {
      throw Error("a checkpoint has its own shape",
                  fmt::format("--checkpoint {} --{} {}", settings.text("checkpoint"),
                              parameter.name, settings.text(parameter.name)),
                  "one of the two");
    }
  }
}

}  // namespace

Parameter model_parameter() {
  return choice("model", model_names(), {"micro", "micro", "qwen2.5-0.5b"}, "whose shape");
}

std::vector<Parameter> shape_parameters() {
  Parameter vocabulary = integer("vocabulary", {0, 0, 0}, 0, 1'000'000, "tokens V that there are");
  vocabulary.require = require_vocabulary;
  return {
      integer("layers", {0, 0, 0}, 0, kMostLayers, "0, here and below: the model's own"),
      integer("hidden-size", {0, 0, 0}, 0, 32768, "width H"),
      integer("heads", {0, 0, 0}, 0, 1024, "query heads"),
      integer("kv-heads", {0, 0, 0}, 0, 1024, "key-value heads"),
      integer("head-size", {0, 0, 0}, 0, 1024, "width of a head"),
      integer("intermediate-size", {0, 0, 0}, 0, 131072, "width I inside the MLP"),
      vocabulary,
  };
}

ModelShape shape_from(const Settings& settings) {
  ModelShape shape = model_shape(settings.text("model"));
  const auto override = [&](int ModelShape::*member, const char* name) {
    if (settings.integer(name) > 0) {
      shape.*member = settings.count(name);
    }
  };
  override(&ModelShape::layers, "layers");
  override(&ModelShape::hidden, "hidden-size");
  override(&ModelShape::heads, "heads");
  override(&ModelShape::kv_heads, "kv-heads");
  override(&ModelShape::head_size, "head-size");
  override(&ModelShape::intermediate, "intermediate-size");
  override(&ModelShape::vocabulary, "vocabulary");
  if (shape.heads % shape.kv_heads != 0) {
    throw Error("key-value heads do not divide the heads",
                fmt::format("--heads {} --kv-heads {}", shape.heads, shape.kv_heads),
                "a number of heads that is a multiple of the key-value heads");
  }
  if (shape.head_size % 2 != 0) {
    throw Error("rotary embedding turns pairs of values",
                fmt::format("--head-size {}", shape.head_size), "an even head size");
  }
  return shape;
}

std::string shape_name(const Settings& settings,
                       const std::vector<std::pair<const char*, int>>& values) {
  std::string name = settings.text("model");
  const char* before = " with ";
  for (const auto& [part, own] : values) {
    if (settings.integer(part) > 0 && settings.count(part) != own) {
      name += fmt::format("{}{} {}", before, part, settings.count(part));
      before = ", ";
    }
  }
  return name;
}

std::string shape_name(const Settings& settings) {
  if (!settings.text("checkpoint").empty()) {
    return "checkpoint";
  }
  const ModelShape own = model_shape(settings.text("model"));
  return shape_name(settings, {{"layers", own.layers},
                               {"hidden-size", own.hidden},
                               {"heads", own.heads},
                               {"kv-heads", own.kv_heads},
                               {"head-size", own.head_size},
                               {"intermediate-size", own.intermediate},
                               {"vocabulary", own.vocabulary}});
}

Parameter checkpoint_parameter() {
  return text("checkpoint", "", nullptr,
              "a safetensors file of the Qwen2 or Llama kind, or its folder, in place of model and "
              "seed");
}

std::unique_ptr<ParameterSource> parameter_source(const Settings& settings, std::uint64_t seed) {
  const std::string& path = settings.text("checkpoint");
  if (path.empty()) {
    return std::make_unique<SeededParameters>(shape_from(settings), seed);
  }
  require_no_shape(settings);
  try {
    return std::make_unique<Checkpoint>(path);
  } catch (const BadCheckpoint& bad) {
    throw Error(bad.what_happened, bad.subject, bad.hint);
  }
}

}  // namespace perf::workloads
