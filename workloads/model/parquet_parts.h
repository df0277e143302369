#pragma once

#include <parquet_types.h>
#include <thrift/TConfiguration.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TBufferTransports.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "workloads/model/parquet.h"

// What the files of the Parquet container share.
namespace perf::workloads {

/// The key of the file's key-value metadata that describes the tensors.
inline constexpr char kParquetTensors[] = "tensors";

[[noreturn]] void refuse_parquet(const std::string& path, const std::string& column,
                                 const std::string& why);
[[noreturn]] void unsupported_parquet(const std::string& path, const std::string& column,
                                      const std::string& what);

/// How a tensor is stored (parquet.h).
struct ParquetColumn {
  std::int32_t type = 0;  ///< of parquet.thrift
  std::uint64_t value_bytes = 0;
  bool is_half = false;  ///< FLOAT16
};
ParquetColumn parquet_column(const SafetensorsEntry& tensor);

/// A column of the schema, and the levels at which its values are there.
struct ParquetLeaf {
  const parquet::SchemaElement* element = nullptr;
  std::vector<std::string> path;
  unsigned definition = 0, repetition = 0;
  unsigned empty = 0;  ///< definition level of an empty list
};

/// Lowest byte first.
std::uint32_t parquet_number(const char* bytes);

/// A record in Thrift's compact protocol.
template <class T>
std::string encode_compact(const T& record) {
  using apache::thrift::transport::TMemoryBuffer;
  const auto buffer = std::make_shared<TMemoryBuffer>();
  apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer> protocol(buffer);
  record.write(&protocol);
  return buffer->getBufferAsString();
}

/// Reads a record from the start of `bytes`; how many bytes it took.
/// Throws Thrift's exceptions. A list has at most kMostParquetElements: Thrift takes memory for a
/// list before it reads the elements.
inline constexpr std::int32_t kMostParquetElements = 1 << 16;
template <class T>
std::uint64_t decode_compact(std::string& bytes, T& record) {
  using apache::thrift::transport::TMemoryBuffer;
  const auto size = static_cast<std::int32_t>(bytes.size());
  const auto buffer = std::make_shared<TMemoryBuffer>(
      reinterpret_cast<std::uint8_t*>(bytes.data()), static_cast<std::uint32_t>(size),
      TMemoryBuffer::OBSERVE, std::make_shared<apache::thrift::TConfiguration>(size, size, 16));
  apache::thrift::protocol::TCompactProtocolT<TMemoryBuffer> protocol(buffer, size,
                                                                      kMostParquetElements);
  record.read(&protocol);
  return bytes.size() - buffer->available_read();
}

/// The one page of a column chunk.
class ParquetPage {
 public:
  /// Throws BadCheckpoint where it is broken, or not supported. `begin` and `end` are those of the
  /// chunk.
  ParquetPage(const ReadBytes& read, const std::string& path, const ParquetLeaf& leaf,
              std::uint64_t begin, std::uint64_t end);

  std::int32_t listed = 0;   ///< values, and those that are not there
  std::uint64_t values = 0;  ///< that are there
  std::uint64_t begin, end;  ///< of their bytes

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  std::string take(std::uint64_t count);
  std::string take_with_length();
  void count_values(const std::string& definition);
  bool are_all(const std::string& runs, unsigned level) const;

  const ReadBytes& read_;
  const std::string& path_;
  const ParquetLeaf& leaf_;
};

}  // namespace perf::workloads
