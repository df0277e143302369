#include "workloads/model/checkpoint.h"

#include <cstring>
#include <filesystem>
#include <set>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/checkpoint_shape.h"

namespace perf::workloads {

namespace {

constexpr char kEmbedding[] = "model.embed_tokens.weight", kOutput[] = "lm_head.weight";

[[noreturn]] void refuse(const std::string& file, const std::string& tensor, const std::string& why,
                         const std::string& hint) {
  throw BadCheckpoint("a checkpoint that is no such model",
                      file + (tensor.empty() ? "" : ", " + printable(tensor)) + ": " + why, hint);
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t dimension : shape) {
    text += (text.empty() ? "(" : ",") + std::to_string(dimension);
  }
  return text.empty() ? "()" : text + ")";
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

Checkpoint::Checkpoint(const std::string& path) : path_(path), files_(path) {
  std::error_code unknown;
  says_tied_ = files_.has_index() || std::filesystem::exists(files_.config(), unknown);
  shape_ = says_tied_ ? shape_of_config(files_.config()) : shape_of_file(*files_.files().front());
  require_tensors();
}

void Checkpoint::require_tensors() const {
  std::set<std::string> known;
  for (const ModelTensor& tensor : ModelLayout(shape_).tensors()) {
    known.insert(tensor.name);
    const auto& [file, found] = place(tensor.name);
    const SafetensorsEntry& entry = found->entry;
    if (entry.shape != tensor.shape) {
      refuse(file->path(), tensor.name,
             "shape " + text_of(entry.shape) + ", the model's is " + text_of(tensor.shape),
             "config.json and tensors of the same checkpoint");
    }
    if (entry.type != "F32" && entry.type != "BF16" && entry.type != "F16") {
      refuse(file->path(), tensor.name, "dtype " + entry.type, "a checkpoint in F32, BF16 or F16");
    }
  }
  for (const auto& [name, where] : files_.places()) {
    if (known.count(name) == 0 && is_part_of_model(name)) {
      refuse(where.file->path(), name, "a part that the model of its config does not have",
             "config.json and tensors of the same checkpoint");
    }
  }
  const Place* output = files_.find(kOutput);
  if (says_tied_ || output == nullptr) {
    return;
  }
  const MappedTensor &own = *output->tensor, &shared = *place(kEmbedding).tensor;
  output->file->require_unchanged();
  if (own.entry.type != shared.entry.type || own.bytes != shared.bytes ||
      std::memcmp(own.data, shared.data, own.bytes) != 0) {
    refuse(output->file->path(), kOutput,
           "the output is a matrix of its own; these models use the embedding",
           "Qwen2.5-0.5B, -1.5B or -3B, which are tied");
  }
}

const CheckpointFiles::Place& Checkpoint::place(const std::string& name) const {
  const Place* found = files_.find(name);
  if (found == nullptr) {
    refuse(files_.files().empty() ? path_ : files_.files().front()->path(), name,
           "the tensor is missing", "a whole checkpoint, with the config.json that belongs to it");
  }
  return *found;
}

void Checkpoint::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                      float* values) const {
  const auto& [file, found] = place(tensor.name);
  file->read(*found, first, count, values);
}

}  // namespace perf::workloads
