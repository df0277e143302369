#include "reporter/sparkline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace perf::reporter {

std::string sparkline(const std::vector<double>& values) {
  constexpr std::string_view blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> finite;
  std::copy_if(values.begin(), values.end(), std::back_inserter(finite),
               [](double value) { return std::isfinite(value); });
  if (finite.size() < 2) {
    return {};
  }
  const auto [low, high] = std::minmax_element(finite.begin(), finite.end());
  const double span = *high - *low;
  std::string line;
  for (const double value : finite) {
    const double share = span > 0 ? (value - *low) / span : 0.5;
    line += blocks[std::min<std::size_t>(7, static_cast<std::size_t>(share * 8))];
  }
  return line;
}

}  // namespace perf::reporter
