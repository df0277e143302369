#include <array>

#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

/// Cuts that are tried at a time, from the first of them.
constexpr std::array<double, 8> kRow{0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

std::vector<double> cumulative_sums(std::span<const double> values) {
  std::vector<double> sums(values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i + 1] = sums[i] + (values[i] - values[0]);
  }
  return sums;
}

std::vector<double> about_means(std::span<const double> values,
                                const std::vector<std::size_t>& cuts) {
  std::vector<double> rest(values.begin(), values.end());
  std::size_t begin = 0;
  for (std::size_t part = 0; part <= cuts.size(); ++part) {
    const std::size_t end = part < cuts.size() ? cuts[part] : values.size();
    const double level = mean(values.subspan(begin, end - begin));
    for (; begin < end; ++begin) {
      rest[begin] -= level;
    }
  }
  return rest;
}

CutFinder::CutFinder(std::size_t length, std::size_t fewest) : fewest_(fewest), weights_(length) {
  const double all = static_cast<double>(length);
  for (std::size_t left = fewest; left + fewest <= length; ++left) {
    const double l = static_cast<double>(left);
    weights_[left] = all / (l * (all - l));
  }
}

// With S the sum of the left l of all points and `mean` that of all, the difference of the parts'
// means is (S - l mean) length / (l r), so that a cut explains (S - l mean)^2 length / (l r).
Cut CutFinder::best(std::span<const double> sums, std::size_t begin, double beyond) const {
  const std::size_t length = weights_.size();
  const double* from = sums.data() + begin;
  const double mean = (from[length] - from[0]) / static_cast<double>(length);
  const auto explained = [&](std::size_t left, double l) {
    const double excess = from[left] - from[0] - l * mean;
    return excess * excess * weights_[left];
  };
  Cut best{0, beyond};
  const auto take = [&](std::size_t left, double of_left) {
    if (of_left > best.explained) {
      best.explained = of_left;
      best.step = begin + left;
    }
  };
  std::size_t left = fewest_;
  // Few cuts are the best so far: their row is gone through once more.
  for (std::array<double, kRow.size()> row; left + row.size() + fewest_ <= length + 1;
       left += row.size()) {
    bool any = false;
    const double first = static_cast<double>(left);
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] = explained(left + i, first + kRow[i]);
    }
    for (const double one : row) {
      any |= one > best.explained;
    }
    for (std::size_t i = 0; any && i < row.size(); ++i) {
      take(left + i, row[i]);
    }
  }
  for (; left + fewest_ <= length; ++left) {
    take(left, explained(left, static_cast<double>(left)));
  }
  return best;
}

}  // namespace perf
