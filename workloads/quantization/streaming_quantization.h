#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "workloads/kernels/arena.h"
#include "workloads/kernels/quantize.h"
#include "workloads/quantization/quantized_file.h"
#include "workloads/quantization/tensor_source.h"
#include "workloads/step_emitter.h"

namespace perf::workloads {

class TensorWriter;

/// Quantizes a model that need not fit into memory: its tensors are read, quantized and written to
/// a file (quantized_file.h) in pieces of whole rows. What it takes does not depend on the size of
/// the model, nor of a tensor.
class StreamingQuantization {
 public:
  /// Bytes of a piece, in and out together. A row that is larger is a piece of its own.
  static constexpr std::size_t kPieceBytes = std::size_t{16} << 20;

  /// Takes its memory. Throws std::runtime_error where the disk under `output` has no room for what
  /// will be written, before anything is. `source` is used as long as the object lives.
  StreamingQuantization(const TensorSource& source, const Scheme& scheme, std::string output,
                        std::size_t piece_bytes = kPieceBytes,
                        Container container = Container::safetensors);

  /// Outside of steps, before each: removes what an earlier step wrote, so that every step writes a
  /// new file, in the room of one.
  void prepare() const;

  /// One pass over the whole model, with the phases read, quantize, write (into the page cache;
  /// the disk follows in the background) and sync (the rest of the way: the step ends when all of
  /// the file is on the disk, under its name).
  void step(perf_compare::StepEmitter& out);

  std::uint64_t output_bytes() const { return layout_.file.bytes; }  ///< of the whole file
  std::size_t buffer_bytes() const { return buffer_bytes_; }
  static constexpr const char* kPhases[] = {"read", "quantize", "write", "sync"};

  /// Rows of a matrix that make a piece: at least one.
  static std::size_t piece_rows(const Scheme& scheme, std::size_t columns, std::size_t piece_bytes);

 private:
  void stream_matrix(std::size_t tensor, TensorWriter& file, perf_compare::StepEmitter& out) const;
  void stream_kept(std::size_t tensor, TensorWriter& file, perf_compare::StepEmitter& out) const;

  const TensorSource& source_;
  const Scheme scheme_;
  const std::string output_;
  const QuantizedLayout layout_;
  const std::size_t buffer_bytes_;
  Arena arena_;
  std::byte* const buffer_;
};

}  // namespace perf::workloads
