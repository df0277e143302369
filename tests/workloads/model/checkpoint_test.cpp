#include "workloads/model/checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "tests/contains.h"
#include "workloads/kernels/dtype.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/initial_weights.h"
#include "workloads/model/tensor_writer.h"
#include "workloads/training/starting_point.h"

namespace perf::workloads {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kFileSeed = 5;

const ModelShape kStoredShape = {.layers = 2,
                                 .hidden = 32,
                                 .heads = 4,
                                 .kv_heads = 2,
                                 .head_size = 8,
                                 .intermediate = 48,
                                 .vocabulary = 40,
                                 .rope_theta = 1e6,
                                 .norm_epsilon = 1e-6};

// As published with Qwen2.5-0.5B, but for the sizes.
Json published_config() {
  return Json::parse(R"({
    "architectures": ["Qwen2ForCausalLM"], "attention_dropout": 0.0, "bos_token_id": 151643,
    "eos_token_id": 151643, "hidden_act": "silu", "hidden_size": 32, "initializer_range": 0.02,
    "intermediate_size": 48, "max_position_embeddings": 32768, "max_window_layers": 24,
    "model_type": "qwen2", "num_attention_heads": 4, "num_hidden_layers": 2,
    "num_key_value_heads": 2, "rms_norm_eps": 1e-06, "rope_theta": 1000000.0,
    "sliding_window": 32768, "tie_word_embeddings": true, "torch_dtype": "bfloat16",
    "transformers_version": "4.40.1", "use_cache": true, "use_mrope": false,
    "use_sliding_window": false, "vocab_size": 40})");
}

/// A tensor to write.
struct Written {
  SafetensorsEntry entry;
  std::vector<float> values;
};

std::vector<Written> published_tensors(const std::string& type,
                                       const ModelShape& shape = kStoredShape) {
  std::vector<Written> all;
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    all.push_back({{tensor.name, type, tensor.shape}, std::vector<float>(tensor.values())});
    fill_initial_values(shape, tensor, kFileSeed, 0, tensor.values(), all.back().values.data());
  }
  return all;
}

template <class T>
std::string bytes_in(const std::vector<float>& values) {
  std::vector<T> stored(values.size());
  narrow(values.data(), values.size(), stored.data());
  return {reinterpret_cast<const char*>(stored.data()), stored.size() * sizeof(T)};
}

std::string bytes_of(const Written& tensor) {
  if (tensor.entry.type == "BF16") {
    return bytes_in<Bf16>(tensor.values);
  }
  return tensor.entry.type == "F16" ? bytes_in<Fp16>(tensor.values)
                                    : bytes_in<float>(tensor.values);
}

class CheckpointFolder : public testing::Test {
 protected:
  CheckpointFolder() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~CheckpointFolder() override { fs::remove_all(folder_); }

  void write_config(const Json& config) const {
    std::ofstream(folder_ + "/config.json") << config.dump(2);
  }
  void write_tensors(const std::vector<Written>& tensors,
                     const std::string& name = "model.safetensors") const {
    std::vector<SafetensorsEntry> entries;
    std::string data;
    for (const Written& tensor : tensors) {
      entries.push_back(tensor.entry);
      data += bytes_of(tensor);
    }
    TensorWriter file(folder_ + "/" + name, safetensors_header(entries, {{"format", "pt"}}),
                      data.size());
    file.append(data.data(), data.size());
    file.finish();
  }

  /// What opening it says; "" where it opens.
  static std::string refusal(const std::string& path) {
    try {
      const Checkpoint checkpoint(path);
      return "";
    } catch (const BadCheckpoint& bad) {
      EXPECT_FALSE(bad.hint.empty());
      return bad.what();
    }
  }

  const std::string folder_ = testing::TempDir() + "checkpoint_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string file_ = folder_ + "/model.safetensors";
};

std::string stored(float value, const std::string& type) {
  return bytes_of({{"", type, {1}}, {value}});
}

void expect_values(const ParameterSource& source, const std::string& type) {
  for (const ModelTensor& tensor : ModelLayout(source.shape()).tensors()) {
    const std::size_t first = tensor.values() / 3, count = tensor.values() - first;
    std::vector<float> expected(count), values(count);
    fill_initial_values(source.shape(), tensor, kFileSeed, first, count, expected.data());
    source.read(tensor, first, count, values.data());
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(stored(values[i], "F32"), stored(type == "BF16"  ? widen(narrow<Bf16>(expected[i]))
                                                 : type == "F16" ? widen(narrow<Fp16>(expected[i]))
                                                                 : expected[i],
                                                 "F32"))
          << tensor.name << " " << i;
    }
  }
}

void expect_shape(const ModelShape& shape) {
  EXPECT_EQ(shape.layers, kStoredShape.layers);
  EXPECT_EQ(shape.hidden, kStoredShape.hidden);
  EXPECT_EQ(shape.heads, kStoredShape.heads);
  EXPECT_EQ(shape.kv_heads, kStoredShape.kv_heads);
  EXPECT_EQ(shape.head_size, kStoredShape.head_size);
  EXPECT_EQ(shape.intermediate, kStoredShape.intermediate);
  EXPECT_EQ(shape.vocabulary, kStoredShape.vocabulary);
  EXPECT_EQ(shape.rope_theta, kStoredShape.rope_theta);
  EXPECT_EQ(shape.norm_epsilon, kStoredShape.norm_epsilon);
}

TEST_F(CheckpointFolder, LoadsByThePublishedNamesInEveryType) {
  write_config(published_config());
  for (const char* type : {"BF16", "F16", "F32"}) {
    write_tensors(published_tensors(type));
    for (const std::string& path : {folder_, folder_ + "/", file_}) {
      const Checkpoint checkpoint(path);
      expect_shape(checkpoint.shape());
      expect_values(checkpoint, type);
      EXPECT_EQ(checkpoint.file_bytes(), fs::file_size(file_));
    }
  }
}

TEST_F(CheckpointFolder, LoadsSeveralFilesByTheirIndex) {
  write_config(published_config());
  std::vector<Written> all = published_tensors("BF16");
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  write_tensors({all.begin(), middle}, "model-00001-of-00002.safetensors");
  write_tensors({middle, all.end()}, "model-00002-of-00002.safetensors");
  Json map;
  for (std::size_t i = 0; i < all.size(); ++i) {
    map[all[i].entry.name] = i < all.size() / 2 ? "model-00001-of-00002.safetensors"
                                                : "model-00002-of-00002.safetensors";
  }
  const std::string index = folder_ + "/model.safetensors.index.json";
  const auto write_index = [&](const Json& files) {
    std::ofstream(index) << Json({{"metadata", {{"total_size", 1}}}, {"weight_map", files}});
  };
  write_index(map);
  {
    const Checkpoint checkpoint(folder_);
    expect_values(checkpoint, "BF16");
    EXPECT_EQ(checkpoint.file_bytes(),
              fs::file_size(folder_ + "/model-00001-of-00002.safetensors") +
                  fs::file_size(folder_ + "/model-00002-of-00002.safetensors"));
  }
  Json wrong = map;
  wrong["model.norm.weight"] = "model-00001-of-00002.safetensors";
  write_index(wrong);
  EXPECT_TRUE(contains(refusal(folder_), "model.norm.weight: the index names"));
  for (const std::string name : {"../secret.safetensors", "a\x1b[2J", "a\x7f", "a\xc2\x9b"}) {
    wrong["model.norm.weight"] = name;
    write_index(wrong);
    EXPECT_TRUE(contains(refusal(folder_), "model.norm.weight: not the name of a file"));
  }
  wrong = map;
  wrong.erase("model.norm.weight");
  write_index(wrong);
  EXPECT_TRUE(contains(refusal(folder_), "model.norm.weight: the tensor is missing"));
  for (const char* nothing : {"[]", "{}", R"({"weight_map": {}})", R"({"weight_map": null})"}) {
    std::ofstream(index) << nothing;
    EXPECT_TRUE(contains(refusal(folder_), "weight_map that names files")) << nothing;
  }
}

TEST_F(CheckpointFolder, NamesTheFolderWhereOneOfItsFilesIsGiven) {
  write_config(published_config());
  write_tensors({published_tensors("BF16").front()}, "model-00001-of-00002.safetensors");
  const std::string index = folder_ + "/model.safetensors.index.json";
  std::ofstream(index) << "{}";
  const std::string said = refusal(folder_ + "/model-00001-of-00002.safetensors");
  EXPECT_TRUE(contains(said, "the folder that it lies in, for all files of the index"));
  for (const std::string& file : {index, folder_ + "/config.json"}) {
    EXPECT_TRUE(contains(refusal(file), "hint: the folder that it lies in: " + folder_));
  }
  EXPECT_TRUE(contains(refusal("config.json"), "lies in: ."));
}

TEST_F(CheckpointFolder, LoadsWhatExportWrites) {
  StartingPoint start;
  start.model = "own";
  start.shape = kStoredShape;
  start.shape.rope_theta = 12345.5;
  start.shape.rope_scaling = {.factor = 32, .original_positions = 100};
  start.shape.is_tied = start.shape.has_qkv_bias = false;
  start.dtype = DType::bf16;
  start.seed = kFileSeed;
  start.batch = 2;
  start.length = 3;
  start.lora.rank = 2;
  start.lora.targets = {Projection::q};
  write_starting_point(start, file_);
  const Checkpoint checkpoint(file_);
  EXPECT_EQ(checkpoint.shape().rope_theta, 12345.5);
  EXPECT_EQ(checkpoint.shape().rope_scaling.factor, 32);
  EXPECT_EQ(checkpoint.shape().rope_scaling.high_frequency, 4);
  EXPECT_EQ(checkpoint.shape().rope_scaling.original_positions, 100);
  EXPECT_FALSE(checkpoint.shape().is_tied);
  EXPECT_FALSE(checkpoint.shape().has_qkv_bias);
  expect_values(checkpoint, "BF16");  // tokens and adapters are ignored
}

TEST_F(CheckpointFolder, KnowsAModelByItsTensorsAlone) {
  std::vector<Written> tensors;
  for (const ModelTensor& tensor : ModelLayout(model_shape("micro")).tensors()) {
    tensors.push_back({{tensor.name, "BF16", tensor.shape}, std::vector<float>(tensor.values())});
  }
  write_tensors(tensors);
  EXPECT_EQ(Checkpoint(file_).shape().intermediate, model_shape("micro").intermediate);
  tensors.back().entry.shape = {64, 4};
  write_tensors(tensors);
  EXPECT_TRUE(contains(refusal(file_), "its shape is not known"));
}

TEST_F(CheckpointFolder, IgnoresWhatTheModelDoesNotRead) {
  write_config(published_config());
  std::vector<Written> tensors = published_tensors("BF16");
  tensors.push_back({{"lm_head.weight", "BF16", {40, 32}}, std::vector<float>(40 * 32)});
  tensors.push_back({{"model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {4}}, {1, 2, 3, 4}});
  tensors.push_back({{"score.weight", "I32", {1}}, {1}});
  write_tensors(tensors);
  EXPECT_EQ(refusal(folder_), "");
}

TEST_F(CheckpointFolder, RefusesTensorsThatDoNotFit) {
  write_config(published_config());
  const std::string name = "model.layers.1.self_attn.k_proj.bias";
  const auto broken = [&](const std::function<void(std::vector<Written>&, Written&)>& change) {
    std::vector<Written> tensors = published_tensors("BF16");
    for (Written& tensor : tensors) {
      if (tensor.entry.name == name) {
        change(tensors, tensor);
        break;
      }
    }
    write_tensors(tensors);
    return refusal(folder_);
  };
  const auto expect = [&](const std::string& said, const char* what) {
    EXPECT_TRUE(contains(said, file_ + ", " + name + ": " + what));
  };
  expect(broken([](auto&, Written& bias) { bias.entry.name = "model.other"; }),
         "the tensor is missing");
  expect(broken([](auto&, Written& bias) {
           bias.entry.shape = {4, 4};
         }),
         "shape (4,4), the model's is (16)");
  expect(broken([](auto&, Written& bias) { bias.entry.type = "I32"; }), "dtype I32");
  const std::string said = broken([](std::vector<Written>& tensors, Written&) {
    tensors.push_back({{"model.layers.0.self_attn.q_norm.weight", "F32", {1}}, {1}});
  });
  EXPECT_TRUE(contains(said, "q_norm.weight: a part that"));
  EXPECT_EQ(broken([](auto&, Written& bias) { bias.entry.type = "F32"; }), "");  // mixed is fine
}

TEST_F(CheckpointFolder, RefusesConfigsOfOtherModels) {
  write_tensors(published_tensors("BF16"));
  const auto changed = [&](const char* field, const Json& value) {
    Json config = published_config();
    if (value.is_discarded()) {
      config.erase(field);
    } else {
      config[field] = value;
    }
    write_config(config);
    return refusal(folder_);
  };
  const Json absent(Json::value_t::discarded);
  const std::vector<std::pair<const char*, std::pair<Json, const char*>>> cases = {
      {"architectures", {Json::array({"MistralForCausalLM"}), "not Qwen2ForCausalLM or Llama"}},
      {"architectures", {Json::array({"LlamaForCausalLM"}), "k_proj.bias: a part that the model"}},
      {"architectures", {"Qwen2ForCausalLM", "not Qwen2ForCausalLM"}},
      {"tie_word_embeddings", {false, "lm_head.weight: the tensor is missing"}},
      {"tie_word_embeddings", {absent, "lm_head.weight: the tensor is missing"}},
      {"tie_word_embeddings", {absent, "or tie_word_embeddings true in the config.json"}},
      {"hidden_act", {"gelu", "hidden_act"}},
      {"use_sliding_window", {true, "sliding window"}},
      {"use_sliding_window", {1, "use_sliding_window is neither true nor false"}},
      {"tie_word_embeddings", {"true", "tie_word_embeddings is neither true nor false"}},
      {"layer_types", {{"full_attention", "sliding_attention"}, "layer_types are not all"}},
      {"partial_rotary_factor", {0.5, "partial_rotary_factor is not 1"}},
      {"rope_scaling",
       {{{"type", "yarn"}}, "type \"yarn\": rotary frequencies are scaled in another"}},
      {"rope_scaling", {{{"type", "yarn"}}, "hint: a checkpoint without rope_scaling"}},
      {"rope_scaling", {{{"rope_type", nullptr}}, "rope_type null"}},
      {"rope_scaling", {{{"factor", 2}}, "factor without a rope_type (rope_scaling)"}},
      {"rope_scaling", {{{"rope_type", "llama3"}}, "no factor (rope_scaling)"}},
      {"rope_scaling", {"llama3", "rope_scaling"}},
      {"rope_parameters", {{{"rope_type", "yarn"}}, "rope_parameters"}},
      {"rope_parameters",
       {{{"full_attention", {{"rope_type", "default"}}}}, "full_attention without a rope_type"}},
      {"rope_parameters",
       {{{"rope_theta", 1e4}, {"partial_rotary_factor", 0.5}}, "partial_rotary_factor is not 1"}},
      {"quantization_config", {Json::object(), "quantized"}},
      {"hidden_size", {absent, "no hidden_size"}},
      {"hidden_size", {0, "hidden_size is no whole number"}},
      {"hidden_size", {-32, "hidden_size is no whole number"}},
      {"hidden_size", {32.5, "hidden_size is no whole number"}},
      {"hidden_size", {1ULL << 40, "hidden_size is no whole number"}},
      {"num_hidden_layers", {"2", "num_hidden_layers is no whole number"}},
      {"num_attention_heads", {5, "do not divide hidden_size"}},
      {"num_key_value_heads", {3, "do not divide the heads"}},
      {"head_dim", {7, "odd head size"}},
      {"rms_norm_eps", {0, "rms_norm_eps"}},
      {"rope_theta", {"1e6", "rope_theta"}},
      {"rope_theta", {1e308, "rope_theta"}},
      {"rope_theta", {(1ULL << 53) + 1, "rope_theta"}},
      {"num_hidden_layers", {3, "model.layers.2.input_layernorm.weight: the tensor is missing"}},
      {"num_hidden_layers", {1, "a part that the model of its config does not have"}},
      {"vocab_size", {41, "model.embed_tokens.weight: shape (40,32), the model's is (41,32)"}},
  };
  for (const auto& [field, expected] : cases) {
    const std::string said = changed(field, expected.first);
    EXPECT_TRUE(contains(said, expected.second)) << field;
    EXPECT_TRUE(contains(said, folder_));
  }
  EXPECT_EQ(changed("architectures", absent), "");  // model_type says it
  std::ofstream(folder_ + "/config.json") << "{";
  EXPECT_TRUE(contains(refusal(folder_), "no JSON object"));
  std::ofstream(folder_ + "/config.json") << std::string(100'000, '[');
  EXPECT_TRUE(contains(refusal(folder_), "nested too deeply"));
  std::string text = published_config().dump();
  std::ofstream(folder_ + "/config.json") << text.insert(1, R"("hidden_size":64,)");
  EXPECT_TRUE(contains(refusal(folder_), "'hidden_size' comes twice"));
  std::ofstream(folder_ + "/config.json") << published_config().dump() + '\0' + "{}";
  EXPECT_TRUE(contains(refusal(folder_), "a NUL byte"));
}

TEST_F(CheckpointFolder, TakesRotaryParametersWhereNewerVersionsKeepThem) {
  write_tensors(published_tensors("BF16"));
  Json config = published_config();
  config.erase("rope_theta");
  config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 5000.0}};
  const auto theta = [&] {
    write_config(config);
    return Checkpoint(folder_).shape().rope_theta;
  };
  EXPECT_EQ(theta(), 5000);
  config["rope_scaling"] = nullptr;
  config["layer_types"] = {"full_attention", "full_attention"};
  config["rope_parameters"].erase("rope_type");
  config["rope_parameters"]["partial_rotary_factor"] = 1.0;
  EXPECT_EQ(theta(), 5000);
  config["rope_theta"] = 7000;  // beside them it is what they leave out
  EXPECT_EQ(theta(), 5000);
  config["rope_parameters"].erase("rope_theta");
  EXPECT_EQ(theta(), 7000);
  config["rope_parameters"] = Json::object();
  EXPECT_EQ(theta(), 7000);
  config.erase("rope_theta");
  EXPECT_EQ(theta(), 10000) << "transformers' default";
  config["rope_parameters"] = {{"rope_type", "default"}};
  config["rope_scaling"] = {{"rope_type", "default"}};
  write_config(config);
  EXPECT_TRUE(contains(refusal(folder_), "rope_scaling beside rope_parameters"));
}

TEST_F(CheckpointFolder, LoadsAnOutputOfItsOwn) {
  ModelShape shape = kStoredShape;
  shape.is_tied = false;
  Json config = published_config();
  for (const bool says_so : {true, false}) {  // transformers' default is false
    config.erase("tie_word_embeddings");
    if (says_so) {
      config["tie_word_embeddings"] = false;
    }
    write_config(config);
    write_tensors(published_tensors("BF16", shape));
    const Checkpoint checkpoint(folder_);
    EXPECT_FALSE(checkpoint.shape().is_tied);
    expect_values(checkpoint, "BF16");
  }
}

// As published with Llama 3.2 1B, but for the sizes.
TEST_F(CheckpointFolder, LoadsModelsOfTheLlamaKind) {
  ModelShape shape = kStoredShape;
  shape.has_qkv_bias = false;
  write_tensors(published_tensors("BF16", shape));
  Json config = Json::parse(R"({
    "architectures": ["LlamaForCausalLM"], "attention_bias": false, "attention_dropout": 0.0,
    "bos_token_id": 128000, "eos_token_id": 128001, "head_dim": 8, "hidden_act": "silu",
    "hidden_size": 32, "initializer_range": 0.02, "intermediate_size": 48,
    "max_position_embeddings": 131072, "mlp_bias": false, "model_type": "llama",
    "num_attention_heads": 4, "num_hidden_layers": 2, "num_key_value_heads": 2,
    "pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 32.0,
    "high_freq_factor": 4.0, "low_freq_factor": 1.0, "original_max_position_embeddings": 8192,
    "rope_type": "llama3"}, "rope_theta": 500000.0, "tie_word_embeddings": true,
    "torch_dtype": "bfloat16", "transformers_version": "4.45.0.dev0", "use_cache": true,
    "vocab_size": 40})");
  const auto expect_llama = [&] {
    write_config(config);
    const Checkpoint checkpoint(folder_);
    EXPECT_TRUE(checkpoint.shape().is_tied);
    EXPECT_FALSE(checkpoint.shape().has_qkv_bias);
    EXPECT_EQ(checkpoint.shape().rope_theta, 5e5);
    EXPECT_EQ(checkpoint.shape().norm_epsilon, 1e-5);
    EXPECT_EQ(checkpoint.shape().rope_scaling.factor, 32);
    EXPECT_EQ(checkpoint.shape().rope_scaling.low_frequency, 1);
    EXPECT_EQ(checkpoint.shape().rope_scaling.high_frequency, 4);
    EXPECT_EQ(checkpoint.shape().rope_scaling.original_positions, 8192);
    expect_values(checkpoint, "BF16");
  };
  expect_llama();
  const Json scaling = config["rope_scaling"];
  config["rope_scaling"]["type"] = "llama3";  // as 4.43 wrote it
  config["rope_scaling"].erase("rope_type");
  expect_llama();
  config.erase("rope_scaling");
  config["rope_parameters"] = scaling;  // as newer versions do
  config["rope_parameters"]["rope_theta"] = config["rope_theta"];
  config.erase("rope_theta");
  expect_llama();

  const Json whole = config;
  for (const auto& [field, value, what] : std::vector<std::tuple<const char*, Json, const char*>>{
           {"attention_bias", true, "attention_bias is true"},
           {"mlp_bias", true, "mlp_bias is true"},
           {"rope_parameters", {{"rope_type", "linear"}, {"factor", 2}}, "another way than llama3"},
       }) {
    config = whole;
    config[field] = value;
    write_config(config);
    EXPECT_TRUE(contains(refusal(folder_), what));
  }
  for (const auto& [field, value] : {std::pair{"factor", 0.5},
                                     {"factor", -1.0},
                                     {"low_freq_factor", 4.0},
                                     {"high_freq_factor", 0.0}}) {
    config = whole;
    config["rope_parameters"][field] = value;
    write_config(config);
    EXPECT_TRUE(contains(refusal(folder_), "factor"));
  }
}

TEST_F(CheckpointFolder, KnowsAnOutputOfItsOwnWithoutAConfig) {
  std::vector<Written> tensors;
  for (const ModelTensor& tensor : ModelLayout(model_shape("micro")).tensors()) {
    tensors.push_back({{tensor.name, "BF16", tensor.shape}, std::vector<float>(tensor.values())});
  }
  Written output = tensors.front();
  output.entry.name = "lm_head.weight";
  tensors.push_back(output);
  write_tensors(tensors);
  EXPECT_TRUE(Checkpoint(file_).shape().is_tied);  // the same values
  tensors.back().values[100] = 1;
  write_tensors(tensors);
  EXPECT_FALSE(Checkpoint(file_).shape().is_tied);
}

TEST_F(CheckpointFolder, RefusesWhatIsNotThere) {
  EXPECT_TRUE(contains(refusal(folder_), "no checkpoint in a folder"));
  EXPECT_TRUE(contains(refusal(folder_ + "/absent"), "No such file"));
}

}  // namespace
}  // namespace perf::workloads
