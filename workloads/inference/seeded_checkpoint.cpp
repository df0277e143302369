#include "workloads/inference/seeded_checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include "workloads/model/checkpoint_shape.h"
#include "workloads/model/initial_weights.h"
#include "workloads/model/safetensors.h"
#include "workloads/program/disk_room.h"
#include "workloads/program/error.h"

namespace perf::workloads {

namespace {

[[noreturn]] void fail(const std::string& where) {
  throw Error("cannot write a temporary checkpoint", where + ": " + std::strerror(errno),
              "another folder, as TMPDIR");
}

void write_all(int file, const void* bytes, std::size_t count, const std::string& where) {
  const char* next = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = write(file, next, count);
    if (written < 0 && errno != EINTR) {
      fail(where);
    }
    if (written > 0) {
      next += written;
      count -= static_cast<std::size_t>(written);
    }
  }
}

template <class T>
void write_values(int file, const ModelShape& shape, std::uint64_t seed, const std::string& where) {
  constexpr std::size_t kPiece = 1 << 20;  // values: enough to keep all threads busy
  std::vector<T> piece(kPiece);
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    for (std::size_t first = 0; first < tensor.values(); first += kPiece) {
      const std::size_t count = std::min(kPiece, tensor.values() - first);
      fill_initial_values(shape, tensor, seed, first, count, piece.data());
      write_all(file, piece.data(), count * sizeof(T), where);
    }
  }
}

std::string header_of(const ModelShape& shape, DType dtype) {
  std::vector<SafetensorsEntry> entries;
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    entries.push_back({tensor.name, safetensors_type(dtype), tensor.shape});
  }
  return safetensors_header(entries, metadata_of(shape));
}

template <class T>
void round_to(std::size_t count, float* values) {
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = widen(narrow<T>(values[i]));
  }
}

}  // namespace

SeededCheckpoint::SeededCheckpoint(const ModelShape& shape, DType dtype, std::uint64_t seed) {
  const char* chosen = std::getenv("TMPDIR");
  const std::string folder = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  std::string name = folder + "/perf-workloads-XXXXXX";
  const std::string header = header_of(shape, dtype);
  require_disk_room(name, header.size() + shape.parameters() * bytes_of(dtype));
  file_ = mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) {
    fail(folder);
  }
  unlink(name.c_str());
  try {
    write_all(file_, header.data(), header.size(), folder);
    if (dtype == DType::bf16) {
      write_values<Bf16>(file_, shape, seed, folder);
    } else if (dtype == DType::fp16) {
      write_values<Fp16>(file_, shape, seed, folder);
    } else {
      write_values<float>(file_, shape, seed, folder);
    }
    // Else it is written to the disk while the steps run.
    if (fdatasync(file_) != 0) {
      fail(folder);
    }
  } catch (...) {
    close(file_);
    throw;
  }
}

SeededCheckpoint::~SeededCheckpoint() {
  close(file_);
}

void RoundedParameters::read(const ModelTensor& tensor, std::size_t first, std::size_t count,
                             float* values) const {
  exact_.read(tensor, first, count, values);
  if (dtype_ == DType::bf16) {
    round_to<Bf16>(count, values);
  } else if (dtype_ == DType::fp16) {
    round_to<Fp16>(count, values);
  }
}

}  // namespace perf::workloads
