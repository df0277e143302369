#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <utility>

#include "analyzer/detector/internal.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/selection.h"

namespace perf {
namespace {

/// A segment may be quieter than the series, but no segment is believed to be much quieter; and a
/// short one does not show its own noise, which may be that of a louder stretch.
constexpr double kLeastShareOfNoise = 0.8;
constexpr double kShareOfNoiseWhereShort = 1.5;
constexpr std::size_t kShort = 10;
/// A series may be louder in some months than in others: the noise of so many points on both sides
/// of a step counts, and that of fewer on either side, which is known less well, with a share of
/// it.
constexpr std::size_t kBeside = 30, kOnOneSide = 20;
constexpr double kShareOnOneSide = 0.8;
constexpr std::size_t kFewestDifferences = 5, kFewestOnOneSide = 8;
/// Stands for "too few points on a side" among the strengths, below 1 and so never enough.
constexpr double kTooFew = 0.5;

/// The deviation of the points [begin, end), estimated from neighbours, the step's own difference
/// left out; 0 where there are too few. `end - begin` is at most 2 kBeside.
double noise_within(std::span<const double> y, std::size_t begin, std::size_t end, std::size_t step,
                    std::size_t fewest) {
  std::array<double, 2 * kBeside> distances{};
  std::size_t count = 0;
  for (std::size_t i = begin + 1; i < end; ++i) {
    if (i != step) {
      distances[count++] = std::abs(y[i] - y[i - 1]);
    }
  }
  if (count < fewest) {
    return 0;
  }
  return kNormalDeviations * median_in_place(std::span(distances).first(count)) / std::sqrt(2.0);
}

/// By the points [begin, end).
double noise_beside(std::span<const double> y, std::size_t begin, std::size_t step,
                    std::size_t end) {
  const auto from = [&](std::size_t reach) { return step - std::min(reach, step - begin); };
  const auto to = [&](std::size_t reach) { return std::min(end, step + reach); };
  const double around = noise_within(y, from(kBeside), to(kBeside), step, kFewestDifferences);
  const double before = noise_within(y, from(kOnOneSide), step, step, kFewestOnOneSide);
  const double after = noise_within(y, step, to(kOnOneSide), step, kFewestOnOneSide);
  return std::max({around, kShareOnOneSide * before, kShareOnOneSide * after});
}

double squared_error(const CentreAndSpread& side, const PartNoise& noise, double noise_here) {
  const bool is_short = side.count < kShort;
  const double of_series = (is_short ? kShareOfNoiseWhereShort : kLeastShareOfNoise) * noise.point;
  const double of_place =
      (is_short ? kShareOfNoiseWhereShort : 1.0) * std::max(noise_here, noise.long_run);
  const double spread = std::max({of_series, of_place, side.spread});
  return spread * spread / static_cast<double>(side.count);
}

/// How well a step stands the test: 1 or more if it does.
double strength(std::span<const double> y, const TestedStep& tested, std::size_t step, Scale scale,
                const StepTest& test) {
  const StepEvidence evidence = step_evidence(y, tested, step);
  const double change = std::abs(relative_change(evidence.difference, scale));
  double found = std::min(evidence.z / test.least_z, change / test.least_change);
  if (test.by_order) {
    const double least = least_order_evidence(tested.to - tested.from);
    const double order =
        order_evidence(y.subspan(tested.begin, tested.end - tested.begin), step - tested.begin,
                       evidence.middle, evidence.difference > 0, least);
    found = std::min(found, order / least);
  }
  if (tested.at_break) {
    found = std::min(found,
                     std::abs(evidence.difference) / (test.least_at_break * tested.noise->point));
  }
  const std::size_t shorter_side = std::min(step - tested.begin, tested.end - step);
  return shorter_side < test.fewest_points ? std::min(found, kTooFew) : found;
}

/// The steps still standing, each linked to its neighbours, the weakest first.
class StandingSteps {
 public:
  StandingSteps(const std::vector<std::size_t>& steps, std::span<const double> y,
                std::span<const NoiseStretch> stretches, Scale scale, const StepTest& test,
                const std::vector<std::size_t>& settled)
      : y_(y), stretches_(stretches), scale_(scale), test_(test), settled_(settled), bounds_{0} {
    bounds_.insert(bounds_.end(), steps.begin(), steps.end());
    bounds_.push_back(y.size());
    before_.resize(bounds_.size());
    after_.resize(bounds_.size());
    strengths_.resize(bounds_.size());
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      before_[i] = i == 0 ? 0 : i - 1;
      after_[i] = i + 1;
    }
    for (std::size_t i = 1; i + 1 < bounds_.size(); ++i) {
      weigh(i);
    }
  }

  std::vector<std::size_t> verified() {
    while (!weakest_.empty() && weakest_.begin()->first < 1) {
      drop(weakest_.begin()->second);
    }
    std::vector<std::size_t> left;
    for (std::size_t i = after_[0]; i + 1 < bounds_.size(); i = after_[i]) {
      left.push_back(bounds_[i]);
    }
    return left;
  }

 private:
  void weigh(std::size_t i) {
    if (std::ranges::binary_search(settled_, bounds_[i])) {
      return;
    }
    const std::size_t step = bounds_[i];
    const TestedStep tested =
        tested_step(stretches_, bounds_[before_[i]], step, bounds_[after_[i]]);
    strengths_[i] = strength(y_, tested, step, scale_, test_);
    weakest_.insert({strengths_[i], i});
  }

  void drop(std::size_t i) {
    weakest_.erase({strengths_[i], i});
    const std::size_t left = before_[i], right = after_[i];
    after_[left] = right;
    before_[right] = left;
    for (const std::size_t neighbour : {left, right}) {
      if (neighbour > 0 && neighbour + 1 < bounds_.size()) {
        weakest_.erase({strengths_[neighbour], neighbour});
        weigh(neighbour);
      }
    }
  }

  std::span<const double> y_;
  std::span<const NoiseStretch> stretches_;
  Scale scale_;
  StepTest test_;
  const std::vector<std::size_t>& settled_;
  std::vector<std::size_t> bounds_;  ///< 0, the steps, the end
  std::vector<std::size_t> before_, after_;
  std::vector<double> strengths_;
  std::set<std::pair<double, std::size_t>> weakest_;
};

}  // namespace

StepEvidence step_evidence(std::span<const double> y, std::size_t begin, std::size_t step,
                           std::size_t end, const NoiseLevels& noise) {
  const CentreAndSpread left = centre_and_spread(y.subspan(begin, step - begin));
  const CentreAndSpread right = centre_and_spread(y.subspan(step, end - step));
  const PartNoise before = noise.part_of(step - 1), after = noise.part_of(step);
  const double here = noise_beside(y, before.begin, step, after.end);
  StepEvidence evidence;
  evidence.difference = right.centre - left.centre;
  evidence.error = kMedianError *
                   std::sqrt(squared_error(left, before, here) + squared_error(right, after, here));
  evidence.z = std::abs(evidence.difference) / evidence.error;
  evidence.middle = (left.centre + right.centre) / 2;
  evidence.noise_before = left.spread;
  evidence.noise_after = right.spread;
  return evidence;
}

double expected_error(std::size_t left, std::size_t right, const NoiseLevels& noise) {
  const PartNoise last = noise.part_of(noise.clipped.size() - 1);
  const double s = last.point;
  return kMedianError *
         std::sqrt(squared_error({0, s, left}, last, s) + squared_error({0, s, right}, last, s));
}

std::vector<std::size_t> verified_steps(const std::vector<std::size_t>& steps,
                                        std::span<const double> y,
                                        std::span<const NoiseStretch> stretches, Scale scale,
                                        const StepTest& test,
                                        const std::vector<std::size_t>& settled) {
  return StandingSteps(steps, y, stretches, scale, test, settled).verified();
}

void place_steps(std::vector<std::size_t>& steps, std::span<const double> clipped) {
  const std::vector<double> sums = cumulative_sums(clipped);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t begin = i == 0 ? 0 : steps[i - 1];
    const std::size_t end = i + 1 == steps.size() ? clipped.size() : steps[i + 1];
    const Cut cut = CutFinder(end - begin, StepTest{}.fewest_points).best(sums, begin);
    if (cut.explained >= 0) {
      steps[i] = cut.step;
    }
  }
}

TestedStep tested_step(std::span<const NoiseStretch> stretches, std::size_t before,
                       std::size_t step, std::size_t after) {
  const auto here = std::ranges::upper_bound(stretches, step, {}, &NoiseStretch::begin) - 1;
  TestedStep tested{here->begin, here->end, here->begin, here->end, &here->noise};
  const auto meet = [&](const NoiseStretch& other) {
    tested.at_break = true;
    tested.from = tested.begin = std::min(tested.begin, other.begin);
    tested.to = tested.end = std::max(tested.end, other.end);
    if (other.noise.point > tested.noise->point) {
      tested.noise = &other.noise;
    }
  };
  if (here != stretches.begin() && step - here->begin <= kNearBreak) {
    meet(*(here - 1));
  }
  if (here + 1 != stretches.end() && here->end - step <= kNearBreak) {
    meet(*(here + 1));
  }
  tested.begin = std::max(tested.begin, before);
  tested.end = std::min(tested.end, after);
  return tested;
}

StepEvidence step_evidence(std::span<const double> y, const TestedStep& tested, std::size_t step) {
  const std::size_t from = tested.from;
  return step_evidence(y.subspan(from, tested.to - from), tested.begin - from, step - from,
                       tested.end - from, *tested.noise);
}

std::vector<FoundStep> described_steps(const std::vector<std::size_t>& steps,
                                       const SearchedValues& series,
                                       std::span<const NoiseStretch> stretches, Scale scale) {
  std::vector<FoundStep> described;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const TestedStep tested = tested_step(stretches, i == 0 ? 0 : steps[i - 1], steps[i],
                                          i + 1 == steps.size() ? series.y.size() : steps[i + 1]);
    const StepEvidence evidence = step_evidence(series.y, tested, steps[i]);
    FoundStep step;
    step.index = series.position[steps[i]];
    step.previous = series.position[steps[i] - 1];
    step.change = relative_change(evidence.difference, scale);
    step.interval = {relative_change(evidence.difference - kNormal95 * evidence.error, scale),
                     relative_change(evidence.difference + kNormal95 * evidence.error, scale)};
    step.z = evidence.z;
    step.noise_before = evidence.noise_before;
    step.noise_after = evidence.noise_after;
    step.left_begin = series.position[tested.begin];
    step.right_end = series.position[tested.end - 1] + 1;
    described.push_back(step);
  }
  return described;
}

}  // namespace perf
