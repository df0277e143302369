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
constexpr int kMostLayersRead = 1024, kMostWidth = 131072, kMostVocabulary = 1'000'000;
constexpr int kMostHeads = 1024, kMostHeadSize = 1024;
constexpr double kMostReal = 1e12;  // an integer up to there is one as a double too
constexpr char kMadeBy[] = "perf-workloads export";
// Of the metadata: name and value.
constexpr char kOutputKey[] = "output", kOwnOutput[] = "own", kBiasKey[] = "qkv_bias",
               kNoBias[] = "none";
constexpr char kKinds[] = "a checkpoint of the Qwen2 or Llama kind, such as Qwen2.5-0.5B";

[[noreturn]] void refuse_shape(const std::string& path, const std::string& why,
                               const std::string& hint = kKinds) {
  throw BadCheckpoint("not a supported checkpoint", path + ": " + why, hint);
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
  bool is_true(const char* name) const {
    if (has(name) && !json.at(name).is_boolean()) {
      refuse_shape(path, std::string(name) + " is neither true nor false");
    }
    return has(name) && json.at(name) == true;
  }

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

enum class Kind { qwen2, llama };

Kind kind_of(const Config& config) {
  const Json& json = config.json;
  const bool is_named = config.has("architectures");
  const auto is = [&](const char* architecture, const char* type) {
    return is_named ? json.at("architectures") == Json::array({architecture})
                    : config.has("model_type") && json.at("model_type") == type;
  };
  if (is("Qwen2ForCausalLM", "qwen2")) {
    return Kind::qwen2;
  }
  if (is("LlamaForCausalLM", "llama")) {
    return Kind::llama;
  }
  refuse_shape(config.path, "the architecture is " +
                                printable(is_named ? json.at("architectures").dump(-1, ' ', true)
                                                   : std::string("not named")) +
                                ", not Qwen2ForCausalLM or LlamaForCausalLM");
}

void require_plain(const Config& config, Kind kind) {
  const Json& json = config.json;
  for (const char* bias : {"attention_bias", "mlp_bias"}) {
    if (kind == Kind::llama && config.is_true(bias)) {
      refuse_shape(config.path, std::string(bias) + " is true");
    }
  }
  if (config.has("hidden_act") && json.at("hidden_act") != "silu") {
    refuse_shape(config.path, "hidden_act is not silu");
  }
  if (config.is_true("use_sliding_window")) {
    refuse_shape(config.path, "attention within a sliding window");
  }
  if (config.has("layer_types")) {
    const Json& types = json.at("layer_types");
    if (!std::all_of(types.begin(), types.end(),
                     [](const Json& type) { return type == "full_attention"; })) {
      refuse_shape(config.path, "layer_types are not all full_attention");
    }
  }
  if (config.has("quantization_config")) {
    refuse_shape(config.path, "its weights are quantized",
                 "the checkpoint in BF16, and --weights int8");
  }
}

// The published frequencies, all of them turned.
bool is_no_scaling(const std::string& name) {
  return name == "rope_theta" || name == "partial_rotary_factor";
}

// Of an object `where`, "rope_scaling" or "rope_parameters".
RopeScaling scaling_of(const Config& config, const char* where) {
  const Json& rope = config.json.at(where);
  const auto refuse = [&](const std::string& why) {
    refuse_shape(config.path, fmt::format("{} ({})", why, where),
                 fmt::format("a checkpoint without {}, or with the rope_type llama3", where));
  };
  if (!rope.is_object()) {
    refuse("rotary frequencies that are no JSON object");
  }
  const char* type =
      rope.contains("rope_type") ? "rope_type" : "type";  // older ones have the latter
  if (!rope.contains(type)) {
    for (const auto& [name, value] : rope.items()) {
      if (!is_no_scaling(name)) {
        refuse(printable(name) + " without a rope_type");
      }
    }
    return {};
  }
  if (rope.at(type) == "default") {
    return {};
  }
  if (rope.at(type) != "llama3") {
    refuse(fmt::format("{} {}: rotary frequencies are scaled in another way than llama3", type,
                       printable(rope.at(type).dump(-1, ' ', true))));
  }
  const auto number = [&](const char* name) {
    if (!rope.contains(name)) {
      refuse(std::string("no ") + name);
    }
    return config.real(rope, name, 0);
  };
  const RopeScaling scaling{.factor = number("factor"),
                            .low_frequency = number("low_freq_factor"),
                            .high_frequency = number("high_freq_factor"),
                            .original_positions = number("original_max_position_embeddings")};
  if (scaling.low_frequency >= scaling.high_frequency || scaling.factor < 1) {
    refuse("a high_freq_factor that is not above low_freq_factor, or a factor below 1");
  }
  return scaling;
}

// Newer versions of transformers keep among rope_parameters what older ones have in rope_scaling
// and beside it; where something is missing there, what is beside it holds.
void read_rope(const Config& config, ModelShape& shape) {
  constexpr double kDefault = 10000;
  const auto has_some = [&](const char* where) {
    return config.has(where) && !config.json.at(where).empty();
  };
  const bool is_older = has_some("rope_scaling"), is_newer = has_some("rope_parameters");
  if (is_older && is_newer) {
    refuse_shape(config.path, "rope_scaling beside rope_parameters", "one of the two in it");
  }
  const auto read = [&](const Json& from) {
    if (config.real(from, "partial_rotary_factor", 1) != 1) {
      refuse_shape(config.path, "partial_rotary_factor is not 1");
    }
    shape.rope_theta = config.real(from, "rope_theta", shape.rope_theta);
  };
  shape.rope_theta = kDefault;
  read(config.json);
  if (is_older || is_newer) {
    const char* where = is_older ? "rope_scaling" : "rope_parameters";
    shape.rope_scaling = scaling_of(config, where);
    read(config.json.at(where));
  }
}

void require_heads(const ModelShape& shape, const std::string& path) {
  if (shape.heads % shape.kv_heads != 0) {
    refuse_shape(path, "key-value heads that do not divide the heads");
  }
  if (shape.head_size % 2 != 0) {
    refuse_shape(path, "an odd head size, and rotary embedding turns pairs");
  }
}

bool has_tensors_of(const TensorReader& file, const ModelShape& shape) {
  const std::vector<ModelTensor> tensors = ModelLayout(shape).tensors();
  const std::string after = "model.layers." + std::to_string(shape.layers) + ".mlp.up_proj.weight";
  return file.find(after) == nullptr &&
         std::all_of(tensors.begin(), tensors.end(), [&](const ModelTensor& tensor) {
           const MappedTensor* found = file.find(tensor.name);
           return found != nullptr && found->entry.shape == tensor.shape;
         });
}

template <class Number>
Number metadata_number(const TensorReader& file, const char* name, Number most) {
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
  field("layers", shape.layers, kMostLayersRead);
  field("hidden_size", shape.hidden, kMostWidth);
  field("heads", shape.heads, kMostHeads);
  field("kv_heads", shape.kv_heads, kMostHeads);
  field("head_size", shape.head_size, kMostHeadSize);
  field("intermediate_size", shape.intermediate, kMostWidth);
  field("vocabulary", shape.vocabulary, kMostVocabulary);
  field("rope_theta", shape.rope_theta, kMostReal);
  field("norm_epsilon", shape.norm_epsilon, 1.0);
}

template <class Scaling, class Field>
void for_each_number_of_rope(Scaling& scaling, Field field) {
  field("rope_factor", scaling.factor, kMostReal);
  field("rope_low_frequency", scaling.low_frequency, kMostReal);
  field("rope_high_frequency", scaling.high_frequency, kMostReal);
  field("rope_original_positions", scaling.original_positions, kMostReal);
}

// Whether the metadata have `name`, which then is `value`.
bool metadata_say(const TensorReader& file, const char* name, const char* value) {
  const auto found = file.metadata().find(name);
  if (found != file.metadata().end() && found->second != value) {
    refuse_shape(file.path(), fmt::format("the metadata's {} is not {}", name, value));
  }
  return found != file.metadata().end();
}

ModelShape shape_of_metadata(const TensorReader& file) {
  ModelShape shape;
  const auto read = [&](const char* name, auto& number, auto most) {
    number = metadata_number(file, name, most);
  };
  for_each_number(shape, read);
  shape.is_tied = !metadata_say(file, kOutputKey, kOwnOutput);
  shape.has_qkv_bias = !metadata_say(file, kBiasKey, kNoBias);
  if (file.metadata().count("rope_factor") > 0) {
    for_each_number_of_rope(shape.rope_scaling, read);
  }
  require_heads(shape, file.path());
  return shape;
}

}  // namespace

ModelShape shape_of_config(const std::string& path) {
  const Config config{path, parsed_config(path)};
  const Kind kind = kind_of(config);
  require_plain(config, kind);
  ModelShape shape;
  shape.is_tied = config.is_true("tie_word_embeddings");  // transformers' default is false
  shape.has_qkv_bias = kind == Kind::qwen2;
  shape.layers = config.integer("num_hidden_layers", kMostLayersRead);
  shape.hidden = config.integer("hidden_size", kMostWidth);
  shape.heads = config.integer("num_attention_heads", kMostHeads);
  shape.kv_heads = config.integer("num_key_value_heads", kMostHeads, shape.heads);
  shape.intermediate = config.integer("intermediate_size", kMostWidth);
  shape.vocabulary = config.integer("vocab_size", kMostVocabulary);
  if (!config.has("head_dim") && shape.hidden % shape.heads != 0) {
    refuse_shape(path, "num_attention_heads do not divide hidden_size");
  }
  shape.head_size = config.integer("head_dim", kMostHeadSize, shape.hidden / shape.heads);
  read_rope(config, shape);
  shape.norm_epsilon = config.real(config.json, "rms_norm_eps", 1e-6);
  require_heads(shape, path);
  return shape;
}

std::map<std::string, std::string> metadata_of(const ModelShape& shape) {
  std::map<std::string, std::string> metadata = {{"format", "pt"}, {"made_by", kMadeBy}};
  const auto write = [&](const char* name, auto number, auto) {
    metadata[name] = fmt::format("{}", number);
  };
  for_each_number(shape, write);
  if (!shape.is_tied) {
    metadata[kOutputKey] = kOwnOutput;
  }
  if (!shape.has_qkv_bias) {
    metadata[kBiasKey] = kNoBias;
  }
  if (shape.rope_scaling.factor != 1) {
    for_each_number_of_rope(shape.rope_scaling, write);
  }
  return metadata;
}

ModelShape shape_of_file(const TensorReader& file) {
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
