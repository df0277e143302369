#include <algorithm>
#include <cmath>
#include <cstddef>

#include "reporter/svg/drawing.h"

namespace perf::reporter::svg {
namespace {

void add_column(double x, std::vector<double>& values, double apart, std::vector<Stroke>& strokes) {
  std::ranges::sort(values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i == 0 || values[i] - values[i - 1] > apart) {
      strokes.push_back({x, values[i], values[i]});
    }
    strokes.back().high = values[i];
  }
}

}  // namespace

std::vector<Stroke> thinned(const std::vector<Point>& points, double column, double apart) {
  std::vector<Stroke> strokes;
  std::vector<double> values;  // of a column
  for (std::size_t i = 0; i < points.size();) {
    const double at = std::floor(points[i].x / column);
    const std::size_t begin = i;
    values.clear();
    while (i < points.size() && std::floor(points[i].x / column) == at) {
      values.push_back(points[i++].y);
    }
    add_column(i - begin == 1 ? points[begin].x : (at + 0.5) * column, values, apart, strokes);
  }
  return strokes;
}

}  // namespace perf::reporter::svg
