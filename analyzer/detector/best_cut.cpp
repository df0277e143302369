#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {

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
Cut CutFinder::best(std::span<const double> sums, std::size_t begin) const {
  const std::size_t length = weights_.size();
  const double mean = (sums[begin + length] - sums[begin]) / static_cast<double>(length);
  Cut best;
  for (std::size_t left = fewest_; left + fewest_ <= length; ++left) {
    const double excess = sums[begin + left] - sums[begin] - static_cast<double>(left) * mean;
    const double explained = excess * excess * weights_[left];
    if (explained > best.explained) {
      best.explained = explained;
      best.step = begin + left;
    }
  }
  return best;
}

}  // namespace perf
