#include "reporter/svg/coordinate.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace perf::reporter::svg {

long tenths(double coordinate) {
  constexpr double kFarthest = 1e6;
  if (!std::isfinite(coordinate)) {
    return 0;
  }
  return std::lround(std::clamp(coordinate, -kFarthest, kFarthest) * 10);
}

void append_tenths(std::string& text, long tenths) {
  if (tenths < 0) {
    text += '-';
  }
  const long size = std::labs(tenths);
  if (size >= 10 || size == 0) {
    std::array<char, 24> digits{};
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), size / 10).ptr;
    text.append(digits.data(), end);
  }
  if (size % 10 != 0) {
    text += '.';
    text += static_cast<char>('0' + size % 10);
  }
}

}  // namespace perf::reporter::svg
