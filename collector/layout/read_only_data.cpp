#include "collector/layout/read_only_data.h"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace perf {
namespace {

constexpr std::size_t kDigitsWidth = 35;  ///< four groups of eight, then the same as text
constexpr std::string_view kDigits = "0123456789abcdef";

}  // namespace

/// " 2000 01000200 00000000 48656c6c 6f000000  ........Hello..."
ReadOnlyData::ReadOnlyData(std::string_view dump) {
  while (!dump.empty()) {
    const std::size_t end = std::min(dump.find('\n'), dump.size());
    const std::string_view line = dump.substr(0, end);
    dump.remove_prefix(std::min(end + 1, dump.size()));
    const std::size_t space = line.find(' ', 1);
    if (line.empty() || line[0] != ' ' || space == std::string_view::npos) {
      continue;
    }
    std::uint64_t address = 0;
    const auto [stop, error] = std::from_chars(line.data() + 1, line.data() + space, address, 16);
    if (error != std::errc() || stop != line.data() + space) {
      continue;
    }
    if (digits_.empty()) {
      begin_ = address;
    }
    if (address != begin_ + digits_.size() / 2) {
      return;  // another section: what was read stands
    }
    for (const char letter : line.substr(space + 1, kDigitsWidth)) {
      if (kDigits.find(letter) != std::string_view::npos) {
        digits_ += letter;
      }
    }
  }
}

std::string ReadOnlyData::at(std::uint64_t address, std::size_t size) const {
  const std::uint64_t there = digits_.size() / 2;
  if (size == 0 || address < begin_ || address - begin_ > there ||
      there - (address - begin_) < size) {
    return "";
  }
  return digits_.substr(2 * static_cast<std::size_t>(address - begin_), 2 * size);
}

}  // namespace perf
