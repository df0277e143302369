#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perf {

/// The bytes of a section, as `objdump -s -j .rodata` prints them; empty where it has none.
class ReadOnlyData {
 public:
  ReadOnlyData() = default;
  explicit ReadOnlyData(std::string_view dump);

  /// `size` bytes from an address on, in hexadecimal; empty where they are not all there.
  std::string at(std::uint64_t address, std::size_t size) const;

 private:
  std::uint64_t begin_ = 0;
  std::string digits_;  ///< two a byte
};

}  // namespace perf
