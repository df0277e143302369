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
  throw BadCheckpoint("not a supported checkpoint",
                      file + (tensor.empty() ? "" : ", " + printable(tensor)) + ": " + why, hint);
}

std::string text_of(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t dimension : shape) {
    text += text.empty() ? "(" : ",";
    text += std::to_string(dimension);
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
  scheme_ = quantized_scheme(*files_.files().front());
  if (files_.has_index() || std::filesystem::exists(files_.config(), unknown)) {
    shape_ = shape_of_config(files_.config());
  } else {
    shape_ = shape_of_file(*files_.files().front());
    shape_.is_tied = shape_.is_tied && !has_own_output();
  }
  require_tensors();
}

bool Checkpoint::has_own_output() const {
  const Place* output = files_.find(kOutput);
  if (output == nullptr) {
    return false;
  }
  const MappedTensor &own = *output->tensor, &shared = *place(kEmbedding).tensor;
  output->file->require_unchanged();
  return own.entry.type != shared.entry.type || own.bytes != shared.bytes ||
         std::memcmp(own.data, shared.data, own.bytes) != 0;
}

void Checkpoint::require_tensors() const {
  std::set<std::string> known;
  for (const ModelTensor& tensor : ModelLayout(shape_).tensors()) {
    std::vector<SafetensorsEntry> wanted = {{tensor.name, "", tensor.shape}};
    if (scheme_ && tensor.shape.size() == 2) {
      wanted = {codes_entry(*scheme_, tensor.name, tensor.shape[0], tensor.shape[1]),
                scales_entry(*scheme_, tensor.name, tensor.shape[0], tensor.shape[1])};
    }
    for (const SafetensorsEntry& one : wanted) {
      known.insert(one.name);
      require_tensor(one);
    }
  }
  for (const auto& [name, where] : files_.places()) {
    if (known.count(name) == 0 && is_part_of_model(name)) {
      refuse(where.file->path(), name, "a part that the model of its config does not have",
             "config.json and tensors of the same checkpoint");
    }
  }
}

// Without a type, any that values are read from will do.
void Checkpoint::require_tensor(const SafetensorsEntry& wanted) const {
  const auto& [file, found] = place(wanted.name);
  const SafetensorsEntry& entry = found->entry;
  if (entry.shape != wanted.shape) {
    refuse(file->path(), wanted.name,
           "shape " + text_of(entry.shape) + ", the model's is " + text_of(wanted.shape),
           "config.json and tensors of the same checkpoint");
  }
  const bool is_plain = entry.type == "F32" || entry.type == "BF16" || entry.type == "F16";
  if (wanted.type.empty() ? !is_plain : entry.type != wanted.type) {
    refuse(file->path(), wanted.name, "dtype " + entry.type,
           wanted.type.empty() ? "a checkpoint in F32, BF16 or F16"
                               : "the file as the quantization wrote it");
  }
}

const CheckpointFiles::Place& Checkpoint::place(const std::string& name) const {
  const Place* found = files_.find(name);
  if (found == nullptr) {
    refuse(files_.files().empty() ? path_ : files_.files().front()->path(), name,
           "the tensor is missing",
           files_.is_part() ? "the folder that it lies in, for all files of the index"
           : name == kOutput
               ? "a whole checkpoint, or tie_word_embeddings true in the config.json of one that "
                 "has no output of its own"
               : "a whole checkpoint, with the config.json that belongs to it");
  }
  return *found;
}

void Checkpoint::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                      float* values) const {
  if (scheme_ && tensor.shape.size() == 2) {
    return read_quantized(quantized_place(tensor), tensor.shape[1], first, count, values);
  }
  const auto& [file, found] = place(tensor.name);
  file->read(*found, first, count, values);
}

QuantizedPlace Checkpoint::quantized_place(const ModelTensor& tensor) const {
  const Place &codes = place(tensor.name + kCodes), &scales = place(tensor.name + kScales);
  return {*scheme_, *codes.file, *codes.tensor, *scales.file, *scales.tensor};
}

void Checkpoint::read_codes(const ModelTensor& tensor, std::size_t first,
                            const QuantizedMatrix& to) const {
  perf::workloads::read_codes(quantized_place(tensor), first, to);
}

}  // namespace perf::workloads
