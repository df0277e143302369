#include "workloads/quantization/streaming_quantization.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "workloads/model/tensor_writer.h"
#include "workloads/program/disk_room.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kAlignment = 64;

constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

// Rows of a piece as floats, then their codes, then their scales, each aligned.
std::size_t bytes_of_rows(const Scheme& scheme, std::size_t rows, std::size_t columns) {
  return aligned(rows * columns * sizeof(float)) + aligned(rows * scheme.code_row_bytes(columns)) +
         aligned(rows * scheme.scale_row_bytes(columns));
}

std::size_t room_for_pieces(const TensorSource& source, const Scheme& scheme,
                            std::size_t piece_bytes) {
  std::size_t most = piece_bytes;
  for (const Tensor& tensor : source.tensors()) {
    most = std::max(most, bytes_of_rows(scheme, 1, tensor.columns));
  }
  return most;
}

}  // namespace

StreamingQuantization::StreamingQuantization(const TensorSource& source, const Scheme& scheme,
                                             std::string output, std::size_t piece_bytes,
                                             Container container)
    : source_(source),
      scheme_(scheme),
      output_(std::move(output)),
      layout_(source, scheme, container),
      buffer_bytes_(room_for_pieces(source, scheme, piece_bytes)),
      arena_(buffer_bytes_ + kAlignment),
      buffer_(arena_.take<std::byte>(buffer_bytes_)) {
  require_disk_room(output_, output_bytes());
}

std::size_t StreamingQuantization::piece_rows(const Scheme& scheme, std::size_t columns,
                                              std::size_t piece_bytes) {
  const std::size_t row =
      columns * sizeof(float) + scheme.code_row_bytes(columns) + scheme.scale_row_bytes(columns);
  const std::size_t padding = 3 * kAlignment;
  return std::max<std::size_t>(1, (std::max(piece_bytes, padding) - padding) / row);
}

void StreamingQuantization::prepare() const {
  std::error_code failure;
  std::filesystem::remove(output_, failure);
  if (failure) {
    throw std::runtime_error("cannot remove " + output_ + ": " + failure.message());
  }
}

void StreamingQuantization::stream_matrix(std::size_t index, TensorWriter& file,
                                          perf_compare::StepEmitter& out) const {
  const Tensor& tensor = source_.tensors()[index];
  const std::size_t code_row = scheme_.code_row_bytes(tensor.columns);
  const std::size_t scale_row = scheme_.scale_row_bytes(tensor.columns);
  const std::size_t most = piece_rows(scheme_, tensor.columns, buffer_bytes_);
  for (std::size_t first = 0; first < tensor.rows; first += most) {
    const std::size_t rows = std::min(most, tensor.rows - first);
    auto* values = reinterpret_cast<float*>(buffer_);
    std::byte* codes = buffer_ + aligned(rows * tensor.columns * sizeof(float));
    const QuantizedMatrix piece = {.scheme = scheme_,
                                   .rows = rows,
                                   .columns = tensor.columns,
                                   .codes = reinterpret_cast<std::uint8_t*>(codes),
                                   .scales = codes + aligned(rows * code_row)};
    source_.read(index, first, rows, values);
    out.phase(kPhases[0]);
    quantize(values, piece);
    out.phase(kPhases[1]);
    file.put(layout_.codes[index] + first * code_row, piece.codes, piece.code_bytes());
    file.put(layout_.scales[index] + first * scale_row, piece.scales, piece.scale_bytes());
    file.start_writing_back();
    out.phase(kPhases[2]);
  }
}

void StreamingQuantization::stream_kept(std::size_t index, TensorWriter& file,
                                        perf_compare::StepEmitter& out) const {
  const std::uint64_t bytes = source_.kept()[index].bytes();
  for (std::uint64_t first = 0; first < bytes; first += buffer_bytes_) {
    const std::size_t count = std::min<std::uint64_t>(buffer_bytes_, bytes - first);
    source_.read_kept(index, first, count, buffer_);
    out.phase(kPhases[0]);
    file.put(layout_.kept[index] + first, buffer_, count);
    out.phase(kPhases[2]);
  }
}

void StreamingQuantization::step(perf_compare::StepEmitter& out) {
  TensorWriter file(output_, layout_.file);
  for (std::size_t i = 0; i < source_.tensors().size(); ++i) {
    stream_matrix(i, file, out);
  }
  for (std::size_t i = 0; i < source_.kept().size(); ++i) {
    stream_kept(i, file, out);
  }
  file.sync();
  file.finish();
  out.phase(kPhases[3]);
}

}  // namespace perf::workloads
