#include "workloads/model/checkpoint.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/checkpoint_shape.h"

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr char kConfig[] = "config.json", kFile[] = "model.safetensors";
constexpr char kIndex[] = "model.safetensors.index.json";
constexpr char kEmbedding[] = "model.embed_tokens.weight", kOutput[] = "lm_head.weight";
constexpr std::uintmax_t kMostIndex = 64 << 20;
constexpr std::size_t kMostShards = 1000;

[[noreturn]] void refuse(const std::string& file, const std::string& tensor, const std::string& why,
                         const std::string& hint) {
  throw BadCheckpoint("a checkpoint that is no such model",
                      file + (tensor.empty() ? "" : ", " + printable(tensor)) + ": " + why, hint);
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t dimension : shape)
    text += (text.empty() ? "(" : ",") + std::to_string(dimension);
  return text.empty() ? "()" : text + ")";
}

// Files named by an index lie beside it.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

// Tensor by file, as {"weight_map": {tensor: file}} has it.
std::map<std::string, std::string> weight_map(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(path, unknown);
  if (unknown || size > kMostIndex)
    refuse(path, "", "cannot be read, or is larger than 64 MiB", "the published index");
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bounded = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > 4)
      refuse(path, "", "nested too deeply", "the published index");
    return true;
  };
  const Json index = Json::parse(text, bounded, /*allow_exceptions=*/false);
  if (!index.is_object() || !index.contains("weight_map") || !index.at("weight_map").is_object())
    refuse(path, "", "no JSON object with a weight_map", "the published index");
  std::map<std::string, std::string> files;
  for (const auto& [tensor, name] : index.at("weight_map").items()) {
    if (!name.is_string() || !is_plain_name(name.get<std::string>()))
      refuse(path, tensor, "not the name of a file beside it", "the published index");
    files[tensor] = name.get<std::string>();
  }
  return files;
}

// Whether leaving it out changes what the model computes.
bool is_part_of_model(const std::string& tensor) {
  constexpr char kRotary[] = "rotary_emb.inv_freq";  // older checkpoints keep what is computed
  const bool rotary =
      tensor.size() > std::strlen(kRotary) &&
      tensor.compare(tensor.size() - std::strlen(kRotary), std::string::npos, kRotary) == 0;
  return tensor.compare(0, 6, "model.") == 0 && !rotary;
}

}  // namespace

Checkpoint::Checkpoint(const std::string& path) : path_(path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown))
    open_folder(path);
  else
    open_file(path);
  require_tensors();
}

void Checkpoint::open_folder(const std::string& folder) {
  const fs::path base(folder);
  std::error_code unknown;
  if (fs::exists(base / kFile, unknown))
    open_file(base / kFile);
  else if (fs::exists(base / kIndex, unknown))
    open_shards(base / kIndex);
  else
    throw BadCheckpoint("no checkpoint in a folder", folder,
                        std::string("a folder with ") + kFile + ", or such a file");
}

void Checkpoint::open_file(const std::string& path) {
  files_.push_back(std::make_unique<SafetensorsReader>(path));
  const SafetensorsReader& file = *files_.back();
  for (const MappedTensor& tensor : file.tensors())
    places_[tensor.entry.name] = {&file, &tensor};
  const fs::path config = fs::path(path).parent_path() / kConfig;
  std::error_code unknown;
  says_tied_ = fs::exists(config, unknown);
  shape_ = says_tied_ ? shape_of_config(config) : shape_of_file(file);
}

void Checkpoint::open_shards(const std::string& index) {
  const fs::path folder = fs::path(index).parent_path();
  shape_ = shape_of_config(folder / kConfig);
  says_tied_ = true;
  const std::map<std::string, std::string> files = weight_map(index);
  std::map<std::string, const SafetensorsReader*> opened;
  for (const auto& [tensor, name] : files) {
    const SafetensorsReader*& file = opened[name];
    if (file == nullptr) {
      if (files_.size() == kMostShards)
        refuse(index, "", "more than " + std::to_string(kMostShards) + " files", "one file");
      files_.push_back(std::make_unique<SafetensorsReader>(folder / name));
      file = files_.back().get();
    }
    const MappedTensor* found = file->find(tensor);
    if (found == nullptr)
      refuse(file->path(), tensor, "the index says that it is here, and it is not",
             "files and index of the same checkpoint");
    places_[tensor] = {file, found};
  }
}

void Checkpoint::require_tensors() const {
  std::set<std::string> known;
  for (const ModelTensor& tensor : ModelLayout(shape_).tensors()) {
    known.insert(tensor.name);
    const auto& [file, found] = place(tensor.name);
    const SafetensorsEntry& entry = found->entry;
    if (entry.shape != tensor.shape)
      refuse(file->path(), tensor.name,
             "shape " + text_of(entry.shape) + ", the model's is " + text_of(tensor.shape),
             "config.json and tensors of the same checkpoint");
    if (entry.type != "F32" && entry.type != "BF16" && entry.type != "F16")
      refuse(file->path(), tensor.name, "dtype " + entry.type, "a checkpoint in F32, BF16 or F16");
  }
  for (const auto& [name, where] : places_)
    if (known.count(name) == 0 && is_part_of_model(name))
      refuse(where.file->path(), name, "a part that the model of its config does not have",
             "config.json and tensors of the same checkpoint");
  const auto output = places_.find(kOutput);
  if (says_tied_ || output == places_.end())
    return;
  const MappedTensor &own = *output->second.tensor, &shared = *place(kEmbedding).tensor;
  output->second.file->require_unchanged();
  if (own.entry.type != shared.entry.type || own.bytes != shared.bytes ||
      std::memcmp(own.data, shared.data, own.bytes) != 0)
    refuse(output->second.file->path(), kOutput,
           "the output is a matrix of its own; these models use the embedding",
           "Qwen2.5-0.5B, -1.5B or -3B, which are tied");
}

const Checkpoint::Place& Checkpoint::place(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end())
    refuse(files_.empty() ? path_ : files_.front()->path(), name, "the tensor is missing",
           "a whole checkpoint, with the config.json that belongs to it");
  return found->second;
}

void Checkpoint::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                      float* values) const {
  const auto& [file, found] = place(tensor.name);
  file->read(*found, first, count, values);
}

std::vector<std::string> Checkpoint::paths() const {
  std::vector<std::string> paths;
  for (const auto& file : files_)
    paths.push_back(file->path());
  return paths;
}

std::uint64_t Checkpoint::file_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : files_)
    bytes += file->file_bytes();
  return bytes;
}

}  // namespace perf::workloads
