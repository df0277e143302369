#pragma once

#include <cstdint>
#include <string>

#include "workloads/kernels/dtype.h"
#include "workloads/model/model_shape.h"
#include "workloads/model/parameter_source.h"

namespace perf::workloads {

/// A checkpoint with a seed's parameters, in the folder for temporary files (TMPDIR, else /tmp), as
/// long as the object lives. It has no name from before its first byte on, so that nothing is left
/// behind however the process ends.
class SeededCheckpoint {
 public:
  /// Writes it, on to the disk. Throws std::runtime_error where the disk has no room, and Error
  /// where the folder cannot be written to, or the disk fails.
  SeededCheckpoint(const ModelShape& shape, DType dtype, std::uint64_t seed);
  ~SeededCheckpoint();
  SeededCheckpoint(const SeededCheckpoint&) = delete;
  SeededCheckpoint& operator=(const SeededCheckpoint&) = delete;

  /// By which this process opens it: "/proc/self/fd/7".
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_ = -1;
};

/// A seed's parameters as a file of `dtype` holds them: rounded once.
class RoundedParameters : public ParameterSource {
 public:
  RoundedParameters(const ModelShape& shape, DType dtype, std::uint64_t seed)
      : exact_(shape, seed), dtype_(dtype) {}
  const ModelShape& shape() const override { return exact_.shape(); }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override;

 private:
  SeededParameters exact_;
  DType dtype_;
};

}  // namespace perf::workloads
