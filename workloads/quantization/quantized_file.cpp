#include "workloads/quantization/quantized_file.h"

#include <algorithm>
#include <set>
#include <utility>

#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/safetensors_contents.h"
#include "workloads/program/error.h"

namespace perf::workloads {

QuantizedLayout::QuantizedLayout(const TensorSource& source, const Scheme& scheme,
                                 Container container)
    : metadata(quantized_metadata(scheme)),
      codes(source.tensors().size()),
      scales(source.tensors().size()),
      kept(source.kept().size()) {
  const std::map<std::string, std::string> more = source.metadata();
  metadata.insert(more.begin(), more.end());                     // what is there already stays
  std::vector<std::pair<SafetensorsEntry, std::uint64_t*>> all;  // and where its place is noted
  for (std::size_t i = 0; i < source.tensors().size(); ++i) {
    const Tensor& tensor = source.tensors()[i];
    all.emplace_back(codes_entry(scheme, tensor.name, tensor.rows, tensor.columns), &codes[i]);
    all.emplace_back(scales_entry(scheme, tensor.name, tensor.rows, tensor.columns), &scales[i]);
  }
  for (std::size_t i = 0; i < source.kept().size(); ++i) {
    all.emplace_back(source.kept()[i], &kept[i]);
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return safetensors_bits(a.first.type) > safetensors_bits(b.first.type);
  });
  std::set<std::string> names;
  for (const auto& [entry, place] : all) {
    if (!names.insert(entry.name).second) {
      throw Error("two tensors of one name", printable(entry.name),
                  "a checkpoint without names that end in .codes or .scales");
    }
    entries.push_back(entry);
  }
  file = tensor_file_layout(container, entries, metadata);
  for (std::size_t i = 0; i < all.size(); ++i) {
    *all[i].second = file.begins[i];
  }
}

const MappedTensor& QuantizedFile::require(const SafetensorsEntry& wanted) const {
  const MappedTensor* found = file_.find(wanted.name);
  if (found == nullptr || found->entry.type != wanted.type ||
      found->entry.shape[1] != wanted.shape[1]) {
    throw BadCheckpoint("not the file of this quantized model",
                        file_.path() + ", " + printable(wanted.name) +
                            (found == nullptr ? ": not there" : ": of another scheme or shape"),
                        "the model, type and group that it was written with");
  }
  return *found;
}

void QuantizedFile::read(const std::string& tensor, std::size_t first,
                         const QuantizedMatrix& to) const {
  const std::size_t code_row = to.scheme.code_row_bytes(to.columns);
  const std::size_t scale_row = to.scheme.scale_row_bytes(to.columns);
  file_.copy(require(codes_entry(to.scheme, tensor, to.rows, to.columns)), first * code_row,
             to.code_bytes(), reinterpret_cast<std::byte*>(to.codes));
  file_.copy(require(scales_entry(to.scheme, tensor, to.rows, to.columns)), first * scale_row,
             to.scale_bytes(), to.scales);
}

}  // namespace perf::workloads
