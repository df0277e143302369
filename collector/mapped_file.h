#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>

#include "schema/files/descriptor.h"

namespace perf {

/// The bytes of a regular file, mapped.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  bool is_read() const { return is_read_; }
  std::string_view bytes() const { return bytes_; }

 private:
  Descriptor file_;
  std::string_view bytes_;
  bool is_read_ = false;
};

/// A record of a binary format at an offset; nothing where the bytes end before it does.
template <class Record>
std::optional<Record> record_at(std::string_view bytes, std::uint64_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Record)) {
    return std::nullopt;
  }
  Record record;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  return record;
}

}  // namespace perf
