#include "workloads/model/checkpoint_files.h"

#include <algorithm>
#include <climits>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/bounded_json.h"

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr char kConfig[] = "config.json", kFile[] = "model.safetensors";
constexpr char kParquetFile[] = "model.parquet";
constexpr char kIndex[] = "model.safetensors.index.json";
constexpr std::uintmax_t kMostIndex = 64 << 20;
constexpr std::size_t kMostShards = 1000;
constexpr int kMostFileDepth = 4;

[[noreturn]] void refuse_files(const std::string& file, const std::string& tensor,
                               const std::string& why, const std::string& hint) {
  throw BadCheckpoint("not a supported checkpoint",
                      file + (tensor.empty() ? "" : ", " + printable(tensor)) + ": " + why, hint);
}

// Files named by an index lie beside it. Their names stand in messages as they are.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.size() <= NAME_MAX && name != "." && name != ".." &&
         std::none_of(name.begin(), name.end(),
                      [](unsigned char c) { return c == '/' || c < 0x20 || c >= 0x7f; });
}

// Tensor by file, as {"weight_map": {tensor: file}} has it.
std::map<std::string, std::string> weight_map(const std::string& path) {
  std::error_code unknown;
  const std::uintmax_t size = fs::file_size(path, unknown);
  if (unknown || size > kMostIndex) {
    refuse_files(path, "", "cannot be read, or is larger than 64 MiB", "the published index");
  }
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json index = bounded_json(text, kMostFileDepth, [&](const std::string& why) {
    refuse_files(path, "", why, "the published index");
  });
  if (!index.is_object() || !index.contains("weight_map") || !index.at("weight_map").is_object() ||
      index.at("weight_map").empty()) {
    refuse_files(path, "", "no JSON object with a weight_map that names files",
                 "the published index");
  }
  std::map<std::string, std::string> files;
  for (const auto& [tensor, name] : index.at("weight_map").items()) {
    if (!name.is_string() || !is_plain_name(name.get<std::string>())) {
      refuse_files(path, tensor, "not the name of a file beside it", "the published index");
    }
    files[tensor] = name.get<std::string>();
  }
  return files;
}

}  // namespace

CheckpointFiles::CheckpointFiles(const std::string& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) {
    open_folder(path);
  } else if (const fs::path file(path); file.extension() == ".json") {
    throw BadCheckpoint("no safetensors file", path,
                        "the folder that it lies in: " +
                            (file.has_parent_path() ? file.parent_path().string() : "."));
  } else {
    open_file(path);
  }
}

void CheckpointFiles::open_folder(const std::string& folder) {
  const fs::path base(folder);
  std::error_code unknown;
  if (fs::exists(base / kFile, unknown)) {
    open_file(base / kFile);
  } else if (fs::exists(base / kIndex, unknown)) {
    open_shards(base / kIndex);
  } else if (fs::exists(base / kParquetFile, unknown)) {
    open_file(base / kParquetFile);
  } else {
    throw BadCheckpoint("no checkpoint in a folder", folder,
                        std::string("a folder with ") + kFile + ", or such a file");
  }
}

void CheckpointFiles::open_file(const std::string& path) {
  files_.push_back(std::make_unique<TensorReader>(path));
  const TensorReader& file = *files_.back();
  for (const MappedTensor& tensor : file.tensors()) {
    places_[tensor.entry.name] = {&file, &tensor};
  }
  const fs::path folder = fs::path(path).parent_path();
  config_ = folder / kConfig;
  std::error_code unknown;
  is_part_ = fs::path(path).filename() != kFile && fs::exists(folder / kIndex, unknown);
}

void CheckpointFiles::open_shards(const std::string& index) {
  const fs::path folder = fs::path(index).parent_path();
  config_ = folder / kConfig;
  has_index_ = true;
  const std::map<std::string, std::string> files = weight_map(index);
  std::map<std::string, const TensorReader*> opened;
  for (const auto& [tensor, name] : files) {
    const TensorReader*& file = opened[name];
    if (file == nullptr) {
      if (files_.size() == kMostShards) {
        refuse_files(index, "", "more than " + std::to_string(kMostShards) + " files", "one file");
      }
      files_.push_back(std::make_unique<TensorReader>(folder / name));
      file = files_.back().get();
    }
    const MappedTensor* found = file->find(tensor);
    if (found == nullptr) {
      refuse_files(file->path(), tensor, "the index names this file, but the tensor is missing",
                   "files and index of the same checkpoint");
    }
    places_[tensor] = {file, found};
  }
}

const CheckpointFiles::Place* CheckpointFiles::find(const std::string& name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? nullptr : &found->second;
}

std::vector<std::string> CheckpointFiles::paths() const {
  std::vector<std::string> paths;
  for (const auto& file : files_) {
    paths.push_back(file->path());
  }
  return paths;
}

std::uint64_t CheckpointFiles::file_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& file : files_) {
    bytes += file->file_bytes();
  }
  return bytes;
}

}  // namespace perf::workloads
