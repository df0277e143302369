#include "reporter/text/sparkline.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "schema/selection.h"

namespace perf::reporter {
namespace {

std::vector<double> finite_of(const std::vector<double>& values) {
  std::vector<double> finite;
  std::ranges::copy_if(values, std::back_inserter(finite),
                       [](double value) { return std::isfinite(value); });
  return finite;
}

}  // namespace

std::string sparkline(const std::vector<double>& values) {
  constexpr std::string_view blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::vector<double> finite = finite_of(values);
  if (finite.size() < 2) {
    return {};
  }
  const auto [low, high] = std::ranges::minmax_element(finite);
  const double span = *high - *low;
  std::string line;
  for (const double value : finite) {
    const double share = span > 0 ? (value - *low) / span : 0.5;
    line += blocks[std::min<std::size_t>(7, static_cast<std::size_t>(share * 8))];
  }
  return line;
}

GroupedValues grouped(const std::vector<double>& values, std::size_t most) {
  const std::vector<double> finite = finite_of(values);
  GroupedValues result;
  result.group = std::max<std::size_t>(1, (finite.size() + most - 1) / most);
  for (std::size_t begin = 0; begin < finite.size(); begin += result.group) {
    const std::size_t end = std::min(begin + result.group, finite.size());
    std::vector<double> one(finite.begin() + static_cast<std::ptrdiff_t>(begin),
                            finite.begin() + static_cast<std::ptrdiff_t>(end));
    result.values.push_back(median_in_place(one));
  }
  return result;
}

}  // namespace perf::reporter
