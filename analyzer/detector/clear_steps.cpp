#include "analyzer/detector/clear_steps.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "analyzer/detector/step_evidence.h"
#include "analyzer/statistics/centre_and_spread.h"

namespace perf {
namespace {

constexpr double kClear = 11;

/// The difference of the two sides' means, in its standard errors: Student's t, but by a noise of
/// `least` at the least.
double student_t(std::span<const double> left, std::span<const double> right, double least) {
  const double l = static_cast<double>(left.size()), r = static_cast<double>(right.size());
  const double left_mean = mean(left), right_mean = mean(right);
  const double squares = squares_about(left, left_mean) + squares_about(right, right_mean);
  const double variance = std::max(least * least, squares / std::max(1.0, l + r - 2));
  return std::abs(right_mean - left_mean) / std::sqrt(variance * (1 / l + 1 / r));
}

}  // namespace

std::vector<std::size_t> clear_steps(const std::vector<double>& y, const NoiseLevels& noise,
                                     const Proposals& proposals, Scale scale) {
  const NoiseLevels independent = if_independent(noise);
  std::vector<std::size_t> cuts = verified_steps(proposals.beyond(independent), y, independent,
                                                 scale, StepTest{.by_order = false});
  place_steps(cuts, noise.clipped);

  std::vector<std::size_t> clear;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : cuts[i - 1];
    const std::size_t end = i + 1 == cuts.size() ? y.size() : cuts[i + 1];
    const std::span<const double> both = std::span(noise.clipped).subspan(begin, end - begin);
    const std::size_t left = cuts[i] - begin;
    if (student_t(both.first(left), both.subspan(left), noise.neighbour) >= kClear) {
      clear.push_back(cuts[i]);
    }
  }
  return clear;
}

}  // namespace perf
