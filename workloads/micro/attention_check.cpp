#include "workloads/micro/attention_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/attention.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kCheckedRows = 16;  // and the last one

// Of values that were seen so far, column by column of a sequence.
struct Seen {
  explicit Seen(std::size_t columns) : least(columns, INFINITY), most(columns, -INFINITY) {}
  void add(const float* values) {
    for (std::size_t i = 0; i < least.size(); ++i) {
      least[i] = std::min(least[i], values[i]);
      most[i] = std::max(most[i], values[i]);
    }
  }
  std::vector<float> least, most;
};

}  // namespace

double attention_error(const QkvRows& shape, bool causal, const float* qkv, const float* out) {
  const std::size_t width = shape.query_width(), last = shape.rows() - 1;
  std::vector<float> want(shape.rows() * width);
  double worst = 0;
  const auto check_rows = [&](std::size_t first, std::size_t step) {
    attention_reference(shape, causal, qkv, want.data(), first, step);
    for (std::size_t row = first; row <= last; row += step) {
      keep_worse(worst,
                 largest_relative_error(out + row * width, want.data() + row * width, width));
    }
  };
  // An odd step meets every place within a tile.
  check_rows(0, shape.rows() / kCheckedRows | 1);
  check_rows(last, 1);
  return worst;
}

double outside_of_values(const QkvRows& shape, bool causal, const float* qkv, const float* out) {
  const std::size_t columns = shape.kv_width();
  const auto values = [&](std::size_t row) { return qkv + (row + 1) * shape.width() - columns; };
  double worst = 0, largest = 0;
  for (std::size_t row = 0; row < shape.rows(); ++row) {
    for (std::size_t i = 0; i < columns; ++i) {
      largest = std::max(largest, static_cast<double>(std::abs(values(row)[i])));
    }
  }
  for (std::size_t first = 0; first < shape.rows(); first += shape.length) {
    Seen seen(columns);
    for (std::size_t row = first; !causal && row < first + shape.length; ++row) {
      seen.add(values(row));
    }
    for (std::size_t row = first; row < first + shape.length; ++row) {
      if (causal) {
        seen.add(values(row));
      }
      for (std::size_t i = 0; i < shape.query_width(); ++i) {
        const std::size_t head = i / shape.size * shape.kv_heads / shape.heads;
        const std::size_t column = head * shape.size + i % shape.size;
        const double value = out[row * shape.query_width() + i];
        const double below = seen.least[column] - value, above = value - seen.most[column];
        keep_worse(worst, std::isnan(value) ? value : std::max(below, above) / largest);
      }
    }
  }
  return worst;
}

}  // namespace perf::workloads
