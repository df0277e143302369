#include "workloads/model/tensor_writer.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "workloads/model/parquet.h"

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;

std::string partial_prefix(const std::string& path) {
  return path + ".partial-";
}

// Whether `digits` are the number of a process that has ended.
bool is_dead(const std::string& digits) {
  pid_t process = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, failure] = std::from_chars(digits.data(), end, process);
  return failure == std::errc() && stop == end && process > 0 && kill(process, 0) != 0 &&
         errno == ESRCH;
}

// What was being written for this path by processes that were killed. Best effort: what cannot be
// removed is only in the way of the disk's room.
void remove_stale_partials(const std::string& path) {
  const fs::path whole = fs::path(partial_prefix(path));
  const std::string prefix = whole.filename().string();
  const fs::path folder = whole.has_parent_path() ? whole.parent_path() : fs::path(".");
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (name.compare(0, prefix.size(), prefix) == 0 && is_dead(name.substr(prefix.size()))) {
      unlink(entry->path().c_str());
    }
  }
}

}  // namespace

const std::vector<std::string>& container_names() {
  static const std::vector<std::string> names = {"safetensors", "parquet"};
  return names;
}

Container container_from(const std::string& name) {
  for (const Container container : {Container::safetensors, Container::parquet}) {
    if (name == container_names()[static_cast<std::size_t>(container)]) {
      return container;
    }
  }
  throw std::invalid_argument("no such container: " + name);
}

TensorFileLayout tensor_file_layout(Container container,
                                    const std::vector<SafetensorsEntry>& tensors,
                                    const std::map<std::string, std::string>& metadata) {
  if (container == Container::parquet) {
    return parquet_layout(tensors, metadata);
  }
  TensorFileLayout layout;
  layout.around = {{0, safetensors_header(tensors, metadata)}};
  layout.bytes = layout.around.front().second.size();
  for (const SafetensorsEntry& tensor : tensors) {
    layout.begins.push_back(layout.bytes);
    layout.bytes += tensor.bytes();
  }
  return layout;
}

TensorWriter::TensorWriter(std::string path, const std::string& header, std::uint64_t data_bytes)
    : path_(std::move(path)),
      partial_(partial_prefix(path_) + std::to_string(getpid())),
      header_bytes_(header.size()),
      missing_(header.size() + data_bytes) {
  remove_stale_partials(path_);
  file_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) {
    fail();
  }
  try {
    append(header.data(), header.size());
  } catch (...) {  // no destructor runs for what was never made
    close(file_);
    unlink(partial_.c_str());
    throw;
  }
}

TensorWriter::TensorWriter(std::string path, const TensorFileLayout& layout)
    : TensorWriter(std::move(path), "", layout.bytes) {
  for (const auto& [place, bytes] : layout.around) {
    put(place, bytes.data(), bytes.size());
  }
}

TensorWriter::~TensorWriter() {
  if (file_ >= 0) {
    close(file_);
  }
  if (!partial_.empty()) {
    unlink(partial_.c_str());
  }
}

void TensorWriter::append(const void* bytes, std::size_t count) {
  write_at(end_, bytes, count);
  end_ += count;
}

void TensorWriter::put(std::uint64_t place, const void* bytes, std::size_t count) {
  write_at(header_bytes_ + place, bytes, count);
}

void TensorWriter::write_at(std::uint64_t place, const void* bytes, std::size_t count) {
  if (count > missing_) {
    throw std::logic_error(path_ + ": more data than its header says");
  }
  const char* next = static_cast<const char*>(bytes);
  for (std::size_t left = count; left > 0;) {
    const ssize_t written = pwrite(file_, next, left, static_cast<off_t>(place));
    if (written < 0 && errno != EINTR) {
      fail();
    }
    if (written > 0) {
      next += written;
      place += static_cast<std::uint64_t>(written);
      left -= static_cast<std::size_t>(written);
    }
  }
  missing_ -= count;
}

void TensorWriter::start_writing_back() const {
  sync_file_range(file_, 0, 0, SYNC_FILE_RANGE_WRITE);  // a hint: its failure is sync()'s to tell
}

void TensorWriter::sync() const {
  if (fdatasync(file_) != 0) {
    fail();
  }
}

void TensorWriter::finish() {
  if (missing_ != 0) {
    throw std::logic_error(path_ + ": less data than its header says");
  }
  if (close(std::exchange(file_, -1)) != 0) {
    fail();
  }
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) {
    fail();
  }
  partial_.clear();
}

void TensorWriter::fail() const {
  throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
}

}  // namespace perf::workloads
