#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "workloads/model/safetensors.h"

namespace perf::workloads {

SafetensorsWriter::SafetensorsWriter(std::string path, const std::string& header,
                                     std::uint64_t data_bytes)
    : path_(std::move(path)),
      partial_(path_ + ".partial-" + std::to_string(getpid())),
      missing_(header.size() + data_bytes) {
  file_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0)
    fail();
  try {
    append(header.data(), header.size());
  } catch (...) {  // no destructor runs for what was never made
    close(file_);
    unlink(partial_.c_str());
    throw;
  }
}

SafetensorsWriter::~SafetensorsWriter() {
  if (file_ >= 0)
    close(file_);
  if (!partial_.empty())
    unlink(partial_.c_str());
}

void SafetensorsWriter::append(const void* bytes, std::size_t count) {
  if (count > missing_)
    throw std::logic_error(path_ + ": more data than its header says");
  const char* next = static_cast<const char*>(bytes);
  for (std::size_t left = count; left > 0;) {
    const ssize_t written = write(file_, next, left);
    if (written < 0 && errno != EINTR)
      fail();
    if (written > 0) {
      next += written;
      left -= static_cast<std::size_t>(written);
    }
  }
  missing_ -= count;
}

void SafetensorsWriter::finish() {
  if (missing_ != 0)
    throw std::logic_error(path_ + ": less data than its header says");
  if (close(std::exchange(file_, -1)) != 0)
    fail();
  if (std::rename(partial_.c_str(), path_.c_str()) != 0)
    fail();
  partial_.clear();
}

void SafetensorsWriter::fail() const {
  throw std::runtime_error("cannot write " + path_ + ": " + std::strerror(errno));
}

}  // namespace perf::workloads
