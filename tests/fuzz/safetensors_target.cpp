#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "collector/process/temporary_folder.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/target.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/checkpoint.h"
#include "workloads/model/checkpoint_shape.h"
#include "workloads/model/quantized_tensors.h"
#include "workloads/model/safetensors_contents.h"
#include "workloads/model/tensor_reader.h"
#include "workloads/model/tensor_writer.h"

namespace perf::fuzz {
namespace {

using workloads::BadCheckpoint;
using workloads::ModelTensor;
using workloads::PlacedTensor;
using workloads::RopeScaling;
using workloads::SafetensorsContents;

// Fields of config.json in Llama 3.2.
constexpr char kLlama[] =
    R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","num_hidden_layers":1,"hidden_size":4,"num_attention_heads":2,"num_key_value_heads":1,"intermediate_size":4,"vocab_size":4,"head_dim":2,"attention_bias":false,"mlp_bias":false,"rope_theta":500000.0,"rope_scaling":{"factor":32.0,"high_freq_factor":4.0,"low_freq_factor":1.0,"original_max_position_embeddings":8192,"rope_type":"llama3"},"rms_norm_eps":1e-05,"tie_word_embeddings":false,"hidden_act":"silu"})";

std::string text_of(const BadCheckpoint& error) {
  require(!error.what_happened.empty() && !error.subject.empty() && !error.hint.empty(),
          "an error without its three parts");
  require_printable(error.what_happened + error.subject + error.hint, "the message");
  require(std::string_view(error.what()).size() < 1000, "a message of any length");
  return error.what();
}

std::string text_of(const SafetensorsContents& contents, std::uint64_t data_bytes) {
  std::string text;
  std::uint64_t end = 0;
  for (const PlacedTensor& tensor : contents.tensors) {
    require(tensor.begin == end && tensor.end >= tensor.begin, "a gap, or an overlap");
    require(tensor.entry.bytes() == tensor.end - tensor.begin, "another size than the shape's");
    end = tensor.end;
    text += tensor.entry.name + ":" + tensor.entry.type;
    for (const std::size_t dimension : tensor.entry.shape) {
      text += "," + std::to_string(dimension);
    }
    text += "@" + std::to_string(tensor.end) + "\n";
  }
  require(end == data_bytes, "data that no tensor has");
  for (const auto& [key, value] : contents.metadata) {
    text += key + "=" + value + "\n";
  }
  return text;
}

/// A header: 2 bytes for the size of the data, then the JSON.
std::string header_text(std::string_view input) {
  const std::uint64_t data_bytes = input.size() < 2 ? 0
                                                    : static_cast<unsigned char>(input[0]) * 256u +
                                                          static_cast<unsigned char>(input[1]);
  const std::string_view json = input.substr(std::min<std::size_t>(2, input.size()));
  try {
    const SafetensorsContents contents = workloads::read_safetensors_header(json, data_bytes, "x");
    const std::string read = text_of(contents, data_bytes);
    std::vector<workloads::SafetensorsEntry> entries;
    for (const PlacedTensor& tensor : contents.tensors) {
      entries.push_back(tensor.entry);
    }
    const std::string again = workloads::safetensors_header(entries, contents.metadata).substr(8);
    require(text_of(workloads::read_safetensors_header(again, data_bytes, "x"), data_bytes) == read,
            "what was read does not read back: " + again);
    return read;
  } catch (const BadCheckpoint& error) {
    return text_of(error);
  }
}

const std::filesystem::path& folder() {
  static const TemporaryFolder made;
  return made.path();
}

void write(const std::string& name, std::string_view text) {
  std::ofstream(folder() / name, std::ios::binary) << text;
}

std::string values_of(const workloads::TensorReader& file) {
  std::string text;
  for (const workloads::MappedTensor& tensor : file.tensors()) {
    const std::size_t bits = workloads::safetensors_bits(tensor.entry.type);
    const std::size_t count = std::min<std::size_t>(tensor.bytes * 8 / bits, 64);
    std::vector<float> values(count);
    try {
      file.read(tensor, 0, count, values.data());
    } catch (const BadCheckpoint& error) {
      text += text_of(error);
    }
    for (const float value : values) {
      text += exactly(static_cast<double>(value)) + " ";
    }
    std::vector<std::byte> bytes(tensor.bytes);
    file.copy(tensor, 0, bytes.size(), bytes.data());
  }
  return text;
}

/// A complete file with its length field.
std::string file_text(std::string_view input) {
  write("one.safetensors", input);
  try {
    const workloads::TensorReader file(folder() / "one.safetensors");
    return values_of(file);
  } catch (const BadCheckpoint& error) {
    return text_of(error);
  }
}

/// Parquet: the length of the footer comes from the input's, so that the fuzzer need not find it.
std::string parquet_text(std::string_view input) {
  const std::size_t footer = input.size() < 2 ? 0
                                              : static_cast<unsigned char>(input[0]) * 256u +
                                                    static_cast<unsigned char>(input[1]);
  std::string text = "PAR1" + std::string(input.substr(std::min<std::size_t>(2, input.size())));
  text += {static_cast<char>(footer & 0xff), static_cast<char>(footer >> 8), 0, 0};
  return file_text(text + "PAR1");
}

std::string shape_text(const workloads::ModelShape& shape) {
  for (const int number : {shape.layers, shape.hidden, shape.heads, shape.kv_heads, shape.head_size,
                           shape.intermediate, shape.vocabulary}) {
    require(number > 0, "a shape of nothing");
  }
  require(shape.heads % shape.kv_heads == 0 && shape.head_size % 2 == 0, "heads that do not fit");
  require(std::isfinite(shape.rope_theta) && shape.rope_theta > 0, "any theta");
  require(std::isfinite(shape.norm_epsilon) && shape.norm_epsilon > 0, "any epsilon");
  const RopeScaling& rope = shape.rope_scaling;
  require(std::isfinite(rope.factor) && rope.factor > 0, "any factor");
  require(rope.low_frequency > 0 && rope.original_positions > 0, "frequencies of nothing");
  std::string text = std::to_string(shape.layers) + "/" + std::to_string(shape.hidden) + "/" +
                     std::to_string(shape.vocabulary) + (shape.is_tied ? "tied" : "own");
  for (const double number : {shape.rope_theta, shape.norm_epsilon, rope.factor, rope.low_frequency,
                              rope.high_frequency, rope.original_positions}) {
    text += " " + exactly(number);
  }
  return text;
}

std::string config_text(std::string_view input) {
  write("config.json", input);
  try {
    return shape_text(workloads::shape_of_config(folder() / "config.json"));
  } catch (const BadCheckpoint& error) {
    return text_of(error);
  }
}

/// A very small model, so that the fuzzer finds valid files: layers have at most 4 rows.
workloads::ModelShape tiny_shape() {
  workloads::ModelShape shape = workloads::model_shape("micro");
  shape.layers = shape.heads = shape.kv_heads = 1;
  shape.hidden = shape.head_size = shape.intermediate = shape.vocabulary = 4;
  return shape;
}

/// The first values of each tensor, as stored.
std::string values_of(const workloads::Checkpoint& checkpoint) {
  std::string text;
  for (const ModelTensor& tensor : workloads::ModelLayout(checkpoint.shape()).tensors()) {
    std::vector<float> values(std::min<std::size_t>(tensor.values(), 64));
    checkpoint.read(tensor, tensor.values() - values.size(), values.size(), values.data());
    for (const float value : values) {
      text += exactly(static_cast<double>(value)) + " ";
    }
  }
  return text;
}

std::string opened_text(const std::string& path) {
  try {
    return values_of(workloads::Checkpoint(path));
  } catch (const BadCheckpoint& error) {
    return text_of(error);
  }
}

/// An index, with a file of one tensor and a config.
std::string index_text(std::string_view input) {
  write("model.safetensors.index.json", input);
  write("a.safetensors", workloads::safetensors_header({{"model.norm.weight", "F32", {1}}}, {}) +
                             std::string("\0\0\x80\x3f", 4));
  write("config.json", kLlama);
  try {
    const workloads::CheckpointFiles files(folder());
    return std::to_string(files.places().size()) + opened_text(folder());
  } catch (const BadCheckpoint& error) {
    return text_of(error);
  }
}

/// A file with its shape in its own metadata.
std::string checkpoint_text(std::string_view input) {
  write("two.safetensors", input);
  std::filesystem::remove(folder() / "config.json");
  try {
    const workloads::TensorReader file(folder() / "two.safetensors");
    return shape_text(workloads::shape_of_file(file)) + opened_text(folder() / "two.safetensors");
  } catch (const BadCheckpoint& error) {
    return text_of(error);
  }
}

void run(std::string_view input) {
  constexpr std::string (*kReaders[])(std::string_view) = {
      header_text, file_text, config_text, index_text, checkpoint_text, parquet_text};
  const auto read = kReaders[pick(input, 6)];
  require(read(std::string(input)) == read(std::string(input)), "the same is read in two ways");
}

std::string tiny_file() {
  const std::string data(8, 'x');
  return workloads::safetensors_header({{"a", "F32", {1}}, {"b", "BF16", {2}}},
                                       {{"format", "pt"}}) +
         data;
}

std::string file_of(workloads::Container container,
                    const std::vector<workloads::SafetensorsEntry>& entries,
                    const std::map<std::string, std::string>& metadata) {
  const workloads::TensorFileLayout layout =
      workloads::tensor_file_layout(container, entries, metadata);
  std::string text(layout.bytes, '\1');
  for (const auto& [place, bytes] : layout.around) {
    text.replace(place, bytes.size(), bytes);
  }
  return text;
}

/// A complete model of zeros, quantized if there is a scheme.
std::string model_file(const std::optional<workloads::Scheme>& scheme) {
  workloads::ModelShape shape = tiny_shape();
  shape.is_tied = scheme.has_value();
  shape.rope_scaling.factor = 8;
  std::map<std::string, std::string> metadata = workloads::metadata_of(shape);
  std::vector<workloads::SafetensorsEntry> entries;
  for (const ModelTensor& tensor : workloads::ModelLayout(shape).tensors()) {
    if (scheme && tensor.shape.size() == 2) {
      entries.push_back(codes_entry(*scheme, tensor.name, tensor.shape[0], tensor.shape[1]));
      entries.push_back(scales_entry(*scheme, tensor.name, tensor.shape[0], tensor.shape[1]));
    } else {
      entries.push_back({tensor.name, "BF16", tensor.shape});
    }
  }
  if (scheme) {
    for (const auto& [name, value] : workloads::quantized_metadata(*scheme)) {
      metadata[name] = value;
    }
  }
  return file_of(workloads::Container::safetensors, entries, metadata);
}

/// As parquet_text() takes it.
std::string parquet_seed() {
  const std::string file =
      file_of(workloads::Container::parquet,
              {{"a", "F32", {2, 1}}, {"b", "BF16", {2}}, {"c", "F16", {0}}}, {{"format", "pt"}});
  const std::size_t end = file.size() - 8;
  return std::string{file[end + 1], file[end]} + file.substr(4, end - 4);
}

std::vector<std::string> seeds() {
  workloads::ModelShape shape = workloads::model_shape("micro");
  std::string header = workloads::safetensors_header(
      {{"a", "F32", {2, 1}}, {"b", "BF16", {2}}, {"c", "F4", {6}}}, {{"format", "pt"}});
  return {
      std::string("\0\0\x0f", 3) + header.substr(8),
      std::string("\0\0\0{}", 5),
      "\1" + tiny_file(),
      "\2"
      R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","num_hidden_layers":2,"hidden_size":64,"num_attention_heads":4,"num_key_value_heads":2,"intermediate_size":128,"vocab_size":100,"head_dim":16,"rope_theta":1e6,"rms_norm_eps":1e-6,"tie_word_embeddings":true,"hidden_act":"silu","layer_types":["full_attention","full_attention"],"use_sliding_window":false,"partial_rotary_factor":1.0,"rope_parameters":{"rope_type":"default","rope_theta":10000}})",
      std::string("\2") + kLlama,
      "\3"
      R"({"metadata":{"total_size":4},"weight_map":{"model.norm.weight":"a.safetensors"}})",
      "\4" + workloads::safetensors_header({}, workloads::metadata_of(shape)),
      "\4" + tiny_file(),
      "\4" + model_file(std::nullopt),
      "\4" + model_file(workloads::Scheme{workloads::CodeType::int4, 32}),
      "\4" + model_file(workloads::Scheme{workloads::CodeType::nf4, 0}),
      "\5" + parquet_seed()};
}

}  // namespace

FuzzTarget safetensors_target() {
  return {"safetensors", run, seeds};
}

}  // namespace perf::fuzz
