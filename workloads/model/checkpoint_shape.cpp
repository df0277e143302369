#include "workloads/model/checkpoint_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/bounded_json.h"

namespace perf::workloads {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostConfig = 1 << 20;  // published ones have a few hundred bytes
constexpr int kMostShapeDepth = 16;
constexpr int kMostLayers = 1024, kMostWidth = 131072, kMostVocabulary = 1'000'000;
constexpr int kMostHeads = 1024, kMostHeadSize = 1024;
constexpr double kMostReal = 1e12;  // an integer up to there is one as a double too
constexpr char kMadeBy[] = "perf-workloads export";
constexpr char kQwen2[] = "a checkpoint of the Qwen2 kind, such as Qwen2.5-0.5B";

[[noreturn]] void refuse_shape(const std::string& path, const std::string& why,
                               const std::string& hint = kQwen2) {
  throw BadCheckpoint("a checkpoint that is no such model", path + ": " + why, hint);
}

Json parsed_config(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostConfig + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  if (text.empty() || text.size() > kMostConfig) {
    refuse_shape(path, text.empty() ? "cannot be read, or is empty" : "more than 1 MiB");
  }
  Json config =
      bounded_json(text, kMostShapeDepth, [&](const std::string& why) { refuse_shape(path, why); });
  if (!config.is_object()) {
    refuse_shape(path, "no JSON object");
  }
  return config;
}

/// A config and where it stands, for messages.
struct Config {
  const std::string& path;
  Json json;

  bool has(const char* name) const { return json.contains(name) && !json.at(name).is_null(); }

  int integer(const char* name, int most) const {
    if (!has(name)) {
      refuse_shape(path, std::string("no ") + name);
    }
    return checked(name, json.at(name), most);
  }
  int integer(const char* name, int most, int fallback) const {
    return has(name) ? integer(name, most) : fallback;
  }
  double real(const Json& from, const char* name, double fallback) const {
    if (!from.contains(name) || from.at(name).is_null()) {
      return fallback;
    }
    const Json& value = from.at(name);
    if (!value.is_number() || !(value.get<double>() > 0) || !std::isfinite(value.get<double>()) ||
        value.get<double>() > kMostReal) {
      refuse_shape(path, std::string(name) + " is no number above 0 and up to 1e12");
    }
    return value.get<double>();
  }
  bool is_true(const char* name) const { return has(name) && json.at(name) == true; }

 private:
  int checked(const char* name, const Json& value, int most) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < 1 ||
        value.get<std::uint64_t>() > static_cast<std::uint64_t>(most)) {
      refuse_shape(path,
                   std::string(name) + " is no whole number from 1 to " + std::to_string(most));
    }
    return value.get<int>();
  }
};

void require_qwen2(const Config& config) {
  const Json& json = config.json;
  const bool by_class = config.has("architectures") && json.at("architectures").is_array() &&
                        json.at("architectures").size() == 1 &&
                        json.at("architectures").at(0) == "Qwen2ForCausalLM";
  const bool by_type = config.has("model_type") && json.at("model_type") == "qwen2";
  if (!by_class && !(by_type && !config.has("architectures"))) {
    refuse_shape(config.path, "the architecture is " +
                                  printable(config.has("architectures")
                                                ? json.at("architectures").dump(-1, ' ', true)
                                                : std::string("not named")) +
                                  ", not Qwen2ForCausalLM");
  }
  if (!config.is_true("tie_word_embeddings"))  // transformers' default is false
  {
    refuse_shape(
        config.path,
        "the output is a matrix of its own (tie_word_embeddings is not true); these models use "
        "the embedding",
        "Qwen2.5-0.5B, -1.5B or -3B, which are tied");
  }
  if (config.has("hidden_act") && json.at("hidden_act") != "silu") {
    refuse_shape(config.path, "hidden_act is not silu");
  }
  if (config.is_true("use_sliding_window")) {
    refuse_shape(config.path, "attention within a sliding window");
  }
  if (config.has("quantization_config")) {
    refuse_shape(config.path, "its weights are quantized",
                 "the checkpoint in BF16, and --weights int8");
  }
}

// Newer versions of transformers keep it among rope_parameters.
double rope_theta(const Config& config) {
  constexpr double kDefault = 10000;
  if (config.has("rope_scaling")) {
    refuse_shape(config.path, "scaled rotary frequencies (rope_scaling)");
  }
  if (!config.has("rope_parameters")) {
    return config.real(config.json, "rope_theta", kDefault);
  }
  const Json& rope = config.json.at("rope_parameters");
  if (!rope.is_object() || (rope.contains("rope_type") && rope.at("rope_type") != "default")) {
    refuse_shape(config.path, "scaled rotary frequencies (rope_parameters)");
  }
  return config.real(rope, "rope_theta", kDefault);
}

void require_heads(const ModelShape& shape, const std::string& path) {
  if (shape.heads % shape.kv_heads != 0) {
    refuse_shape(path, "key-value heads that do not divide the heads");
  }
  if (shape.head_size % 2 != 0) {
    refuse_shape(path, "an odd head size, and rotary embedding turns pairs");
  }
}

bool has_tensors_of(const SafetensorsReader& file, const ModelShape& shape) {
  const std::vector<ModelTensor> tensors = ModelLayout(shape).tensors();
  const std::string after = "model.layers." + std::to_string(shape.layers) + ".mlp.up_proj.weight";
  return file.find(after) == nullptr &&
         std::all_of(tensors.begin(), tensors.end(), [&](const ModelTensor& tensor) {
           const MappedTensor* found = file.find(tensor.name);
           return found != nullptr && found->entry.shape == tensor.shape;
         });
}

template <class Number>
Number metadata_number(const SafetensorsReader& file, const char* name, Number most) {
  const auto found = file.metadata().find(name);
  const std::string text = found == file.metadata().end() ? "" : found->second;
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0) || value > most) {
    refuse_shape(file.path(), std::string("the metadata's ") + name + " is no number above 0");
  }
  return value;
}

// Calls `field(name, number, most)` for each number of the shape that the metadata have.
template <class Shape, class Field>
void for_each_number(Shape& shape, Field field) {
  field("layers", shape.layers, kMostLayers);
  field("hidden_size", shape.hidden, kMostWidth);
  field("heads", shape.heads, kMostHeads);
  field("kv_heads", shape.kv_heads, kMostHeads);
  field("head_size", shape.head_size, kMostHeadSize);
  field("intermediate_size", shape.intermediate, kMostWidth);
  field("vocabulary", shape.vocabulary, kMostVocabulary);
  field("rope_theta", shape.rope_theta, kMostReal);
  field("norm_epsilon", shape.norm_epsilon, 1.0);
}

ModelShape shape_of_metadata(const SafetensorsReader& file) {
  ModelShape shape;
  for_each_number(shape, [&](const char* name, auto& number, auto most) {
    number = metadata_number(file, name, most);
  });
  require_heads(shape, file.path());
  return shape;
}

}  // namespace

ModelShape shape_of_config(const std::string& path) {
  const Config config{path, parsed_config(path)};
  require_qwen2(config);
  ModelShape shape;
  shape.layers = config.integer("num_hidden_layers", kMostLayers);
  shape.hidden = config.integer("hidden_size", kMostWidth);
  shape.heads = config.integer("num_attention_heads", kMostHeads);
  shape.kv_heads = config.integer("num_key_value_heads", kMostHeads, shape.heads);
  shape.intermediate = config.integer("intermediate_size", kMostWidth);
  shape.vocabulary = config.integer("vocab_size", kMostVocabulary);
  if (!config.has("head_dim") && shape.hidden % shape.heads != 0) {
    refuse_shape(path, "num_attention_heads do not divide hidden_size");
  }
  shape.head_size = config.integer("head_dim", kMostHeadSize, shape.hidden / shape.heads);
  shape.rope_theta = rope_theta(config);
  shape.norm_epsilon = config.real(config.json, "rms_norm_eps", 1e-6);
  require_heads(shape, path);
  return shape;
}

std::map<std::string, std::string> metadata_of(const ModelShape& shape) {
  std::map<std::string, std::string> metadata = {{"format", "pt"}, {"made_by", kMadeBy}};
  for_each_number(shape, [&](const char* name, auto number, auto) {
    metadata[name] = fmt::format("{}", number);
  });
  return metadata;
}

ModelShape shape_of_file(const SafetensorsReader& file) {
  const auto made_by = file.metadata().find("made_by");
  if (made_by != file.metadata().end() && made_by->second == kMadeBy) {
    return shape_of_metadata(file);
  }
  for (const std::string& name : model_names()) {
    if (const ModelShape shape = model_shape(name); has_tensors_of(file, shape)) {
      return shape;
    }
  }
  refuse_shape(file.path(),
               "its shape is not known: no config.json beside it, and no tensors of a model "
               "that is known here",
               "the config.json that was published with it, in the same folder");
}

}  // namespace perf::workloads
