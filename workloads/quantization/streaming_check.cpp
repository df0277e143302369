#include "workloads/quantization/streaming_check.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "workloads/kernels/random.h"
#include "workloads/quantization/quantized_file.h"
#include "workloads/quantization/streaming_quantization.h"

namespace perf::workloads {

namespace {

bool same(const SafetensorsEntry& a, const SafetensorsEntry& b) {
  return a.name == b.name && a.type == b.type && a.shape == b.shape;
}

double layout_errors(const QuantizedLayout& wanted, const TensorReader& file) {
  const std::vector<MappedTensor>& found = file.tensors();
  const std::size_t both = std::min(found.size(), wanted.entries.size());
  std::size_t wrong = std::max(found.size(), wanted.entries.size()) - both;
  for (std::size_t i = 0; i < both; ++i) {
    wrong += same(found[i].entry, wanted.entries[i]) ? 0 : 1;
  }
  wrong += file.metadata() == wanted.metadata ? 0 : 1;
  return static_cast<double>(wrong);
}

std::set<std::size_t> checked_rows(std::size_t rows, std::size_t piece, std::uint32_t random) {
  const std::size_t border = std::min(piece * (1 + random % (1 + rows / piece)), rows);
  std::set<std::size_t> chosen = {0, rows / 2, rows - 1, random % rows, border - 1};
  if (border < rows) {
    chosen.insert(border);
  }
  return chosen;
}

/// Memory for one row: as it is read, as it lies in the file, and as it should be.
class Row {
 public:
  Row(const Scheme& scheme, std::size_t columns)
      : values_(columns),
        codes_(2 * scheme.code_row_bytes(columns)),
        scales_(2 * scheme.groups(columns)),
        found_{scheme, 1, columns, codes_.data(), reinterpret_cast<std::byte*>(scales_.data())},
        wanted_{scheme, 1, columns, codes_.data() + scheme.code_row_bytes(columns),
                reinterpret_cast<std::byte*>(scales_.data() + scheme.groups(columns))} {}

  std::size_t bytes() const { return wanted_.bytes(); }

  /// Bytes of a row of the file that are not as they should be.
  std::size_t differing(const TensorSource& source, std::size_t tensor, std::size_t row,
                        const QuantizedFile& file) {
    source.read(tensor, row, 1, values_.data());
    quantize(values_.data(), wanted_);
    file.read(source.tensors()[tensor].name, row, found_);
    std::size_t count = 0;
    for (std::size_t i = 0; i < wanted_.code_bytes(); ++i) {
      count += wanted_.codes[i] == found_.codes[i] ? 0 : 1;
    }
    for (std::size_t i = 0; i < wanted_.scale_bytes(); ++i) {
      count += wanted_.scales[i] == found_.scales[i] ? 0 : 1;
    }
    return count;
  }

 private:
  std::vector<float> values_;
  std::vector<std::uint8_t> codes_;
  std::vector<float> scales_;  // room, and alignment, for Bf16 as well
  QuantizedMatrix found_, wanted_;
};

double row_errors(const TensorSource& source, const Scheme& scheme, const QuantizedFile& file,
                  std::uint64_t seed, std::size_t piece_bytes) {
  std::size_t wrong = 0, all = 0;
  for (std::size_t i = 0; i < source.tensors().size(); ++i) {
    const Tensor& tensor = source.tensors()[i];
    const std::size_t piece =
        StreamingQuantization::piece_rows(scheme, tensor.columns, piece_bytes);
    Row row(scheme, tensor.columns);
    for (const std::size_t chosen :
         checked_rows(tensor.rows, piece, derived_seed(seed, static_cast<std::uint32_t>(i)))) {
      wrong += row.differing(source, i, chosen, file);
      all += row.bytes();
    }
  }
  return static_cast<double>(wrong) / static_cast<double>(all);
}

double kept_errors(const TensorSource& source, const TensorReader& file) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::vector<std::byte> wanted(kPiece), found(kPiece);
  std::uint64_t wrong = 0, all = 0;
  for (std::size_t i = 0; i < source.kept().size(); ++i) {
    const SafetensorsEntry& entry = source.kept()[i];
    const MappedTensor* tensor = file.find(entry.name);
    const std::uint64_t bytes = entry.bytes();
    all += bytes;
    if (tensor == nullptr || tensor->bytes != bytes) {
      wrong += bytes;
      continue;
    }
    for (std::uint64_t first = 0; first < bytes; first += kPiece) {
      const std::size_t count = std::min<std::uint64_t>(kPiece, bytes - first);
      source.read_kept(i, first, count, wanted.data());
      file.copy(*tensor, first, count, found.data());
      for (std::size_t k = 0; k < count; ++k) {
        wrong += wanted[k] == found[k] ? 0 : 1;
      }
    }
  }
  return all == 0 ? 0 : static_cast<double>(wrong) / static_cast<double>(all);
}

}  // namespace

StreamedErrors streamed_errors(const TensorSource& source, const Scheme& scheme,
                               const std::string& path, std::uint64_t seed,
                               std::size_t piece_bytes) {
  const QuantizedFile file(path);
  StreamedErrors errors;
  errors.layout = layout_errors(QuantizedLayout(source, scheme), file.file());
  if (errors.layout > 0) {  // whose rows would be compared?
    errors.rows = errors.kept = 1;
    return errors;
  }
  errors.rows = row_errors(source, scheme, file, seed, piece_bytes);
  errors.kept = kept_errors(source, file.file());
  return errors;
}

}  // namespace perf::workloads
