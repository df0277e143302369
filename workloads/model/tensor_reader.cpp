#include "workloads/model/tensor_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "workloads/kernels/dtype.h"
#include "workloads/model/bad_checkpoint.h"
#include "workloads/model/parquet.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kHeaderLengthBytes = 8;

void read_exactly(int file, const std::string& path, off_t from, char* to, std::size_t count) {
  while (count > 0) {
    const ssize_t got = pread(file, to, count, from);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      throw BadCheckpoint("cannot read a file",
                          path + ": " + (got < 0 ? std::strerror(errno) : "it ended early"),
                          "try again when no program writes it");
    }
    to += got;
    from += got;
    count -= static_cast<std::size_t>(got);
  }
}

std::uint64_t header_length(int file, const std::string& path, std::uint64_t file_bytes) {
  if (file_bytes < kHeaderLengthBytes) {
    throw BadCheckpoint("no safetensors file",
                        path + ": " + std::to_string(file_bytes) + " bytes, shorter than any",
                        "copying or downloading it again");
  }
  std::array<char, kHeaderLengthBytes> bytes{};
  read_exactly(file, path, 0, bytes.data(), bytes.size());
  std::uint64_t length = 0;
  for (std::size_t i = kHeaderLengthBytes; i-- > 0;) {
    length = length << 8 | static_cast<unsigned char>(bytes[i]);
  }
  if (length > TensorReader::kMostHeader) {
    throw BadCheckpoint("no safetensors file",
                        path + ": a header of " + std::to_string(length) + " bytes, more than " +
                            std::to_string(TensorReader::kMostHeader),
                        "a file that ends in .safetensors");
  }
  if (length > file_bytes - kHeaderLengthBytes) {
    throw BadCheckpoint("a broken safetensors file",
                        path + ": a header of " + std::to_string(length) + " bytes in a file of " +
                            std::to_string(file_bytes),
                        "copying or downloading it again: it may have been cut short");
  }
  return length;
}

bool is_parquet(int file, const std::string& path, std::uint64_t file_bytes) {
  std::string magic(std::strlen(kParquetMagic), '\0');
  if (file_bytes < magic.size()) {
    return false;
  }
  read_exactly(file, path, 0, magic.data(), magic.size());
  return magic == kParquetMagic;
}

template <class T>
void widen_bytes(const std::byte* from, std::size_t count, float* values) {
  if (reinterpret_cast<std::uintptr_t>(from) % alignof(T) == 0) {
    return widen(reinterpret_cast<const T*>(from), count, values);
  }
  std::array<T, 1024> piece;
  for (std::size_t done = 0; done < count; done += piece.size()) {
    const std::size_t some = std::min(piece.size(), count - done);
    std::memcpy(piece.data(), from + done * sizeof(T), some * sizeof(T));
    widen(piece.data(), some, values + done);
  }
}

}  // namespace

TensorReader::TensorReader(const std::string& path) : path_(path) {
  // A pipe would be waited for otherwise.
  file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file_ < 0) {
    throw BadCheckpoint("cannot open a file", path + ": " + std::strerror(errno),
                        "the path of a checkpoint");
  }
  try {
    map();
  } catch (...) {  // no destructor runs for what was never made
    if (mapping_ != nullptr) {
      munmap(mapping_, file_bytes());
    }
    close(file_);
    throw;
  }
}

TensorReader::~TensorReader() {
  munmap(mapping_, file_bytes());
  close(file_);
}

void TensorReader::map() {
  if (fstat(file_, &status_) != 0 || !S_ISREG(status_.st_mode)) {
    throw BadCheckpoint("not a file", path_, "a file that ends in .safetensors");
  }
  std::uint64_t start = 0;
  SafetensorsContents contents;
  if (is_parquet(file_, path_, file_bytes())) {
    contents = read_parquet(
        file_bytes(),
        [this](std::uint64_t from, char* to, std::size_t count) {
          read_exactly(file_, path_, static_cast<off_t>(from), to, count);
        },
        path_);
  } else {
    const std::uint64_t length = header_length(file_, path_, file_bytes());
    std::string header(length, '\0');
    read_exactly(file_, path_, kHeaderLengthBytes, header.data(), header.size());
    start = kHeaderLengthBytes + length;
    contents = read_safetensors_header(header, file_bytes() - start, path_);
  }

  void* mapping = mmap(nullptr, file_bytes(), PROT_READ, MAP_SHARED, file_, 0);
  if (mapping == MAP_FAILED) {
    throw BadCheckpoint("cannot map a file", path_ + ": " + std::strerror(errno),
                        "a file on a local disk");
  }
  mapping_ = static_cast<std::byte*>(mapping);
  metadata_ = std::move(contents.metadata);
  for (PlacedTensor& tensor : contents.tensors) {
    by_name_[tensor.entry.name] = tensors_.size();
    tensors_.push_back(
        {std::move(tensor.entry), tensor.end - tensor.begin, mapping_ + start + tensor.begin});
  }
}

const MappedTensor* TensorReader::find(const std::string& name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &tensors_[found->second];
}

void TensorReader::read(const MappedTensor& tensor, std::size_t first, std::size_t count,
                        float* values) const {
  const std::string& type = tensor.entry.type;
  const std::size_t size = safetensors_bits(type) / 8;
  if (type != "F32" && type != "BF16" && type != "F16") {
    throw BadCheckpoint("unsupported dtype of a parameter",
                        path_ + ", " + printable(tensor.entry.name) + ": " + type,
                        "a checkpoint in F32, BF16 or F16");
  }
  const std::size_t all = tensor.bytes / size;
  if (first > all || count > all - first) {
    throw std::out_of_range(path_ + ": values past the end of " + tensor.entry.name);
  }
  require_unchanged();
  const std::byte* from = tensor.data + first * size;
  if (type == "F32") {
    std::memcpy(values, from, count * size);
  } else if (type == "BF16") {
    widen_bytes<Bf16>(from, count, values);
  } else {
    widen_bytes<Fp16>(from, count, values);
  }
}

void TensorReader::copy(const MappedTensor& tensor, std::uint64_t first, std::size_t count,
                        std::byte* bytes) const {
  if (first > tensor.bytes || count > tensor.bytes - first) {
    throw std::out_of_range(path_ + ": bytes past the end of " + tensor.entry.name);
  }
  const std::ptrdiff_t place = tensor.data - mapping_ + static_cast<std::ptrdiff_t>(first);
  read_exactly(file_, path_, place, reinterpret_cast<char*>(bytes), count);
  require_unchanged();  // after it: what was written over meanwhile is no less wrong
}

void TensorReader::require_unchanged() const {
  struct stat now = {};
  if (fstat(file_, &now) != 0 || now.st_size != status_.st_size ||
      now.st_mtim.tv_sec != status_.st_mtim.tv_sec ||
      now.st_mtim.tv_nsec != status_.st_mtim.tv_nsec) {
    throw BadCheckpoint("a file changed while it was read", path_,
                        "try again when no program writes it");
  }
}

}  // namespace perf::workloads
