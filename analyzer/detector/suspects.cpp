#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "analyzer/detector/internal.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr double kOutlier = 3;  ///< deviations; farther ones cost no more
constexpr double kPenalty = 3;  ///< of a change, times ln n

/// The least cost of the points so far, as a function of the level mu of the last of them, from
/// the end of the piece before up to `end`: square * mu^2 + linear * mu + constant.
struct Piece {
  double end = 0;
  double square = 0, linear = 0, constant = 0;
  std::size_t since = 0;  ///< the first point of that level

  double at(double mu) const { return (square * mu + linear) * mu + constant; }
  bool continues(const Piece& next) const {
    return since == next.since && square == next.square && linear == next.linear &&
           constant == next.constant;
  }
};

struct Best {
  double cost = std::numeric_limits<double>::infinity();
  std::size_t since = 0;
};

/// The cost as a function of the level, over the range of all levels.
class LevelCost {
 public:
  LevelCost(double low, double high) : low_(low), pieces_{{high, 0, 0, 0, 0}} {}

  Best best() const {
    Best found;
    double begin = low_;
    for (const Piece& piece : pieces_) {
      const double mu = piece.square > 0
                            ? std::clamp(-piece.linear / (2 * piece.square), begin, piece.end)
                            : begin;
      const double cost = piece.at(mu);
      if (cost < found.cost) {
        found = {cost, piece.since};
      }
      begin = piece.end;
    }
    return found;
  }

  /// The point `index` may begin a level of its own, at this cost.
  void allow_change(double cost, std::size_t index) {
    next_.clear();
    double begin = low_;
    for (const Piece& piece : pieces_) {
      const Piece changed{piece.end, 0, 0, cost, index};
      const auto [from, to] = below(piece, cost, begin);
      if (from >= to) {
        append(changed, piece.end);
      } else {
        if (from > begin) {
          append(changed, from);
        }
        append(piece, to);
        if (to < piece.end) {
          append(changed, piece.end);
        }
      }
      begin = piece.end;
    }
    pieces_.swap(next_);
  }

  /// Adds the cost of a point at y.
  void add(double y) {
    next_.clear();
    double begin = low_;
    for (const Piece& piece : pieces_) {
      const double from = std::clamp(y - kOutlier, begin, piece.end);
      const double to = std::clamp(y + kOutlier, begin, piece.end);
      Piece far = piece, near = piece;
      far.constant += kOutlier * kOutlier;
      near.square += 1;
      near.linear -= 2 * y;
      near.constant += y * y;
      if (from > begin) {
        append(far, from);
      }
      if (to > from) {
        append(near, to);
      }
      if (piece.end > to) {
        append(far, piece.end);
      }
      begin = piece.end;
    }
    pieces_.swap(next_);
  }

 private:
  /// Where in [begin, its end] a piece costs less than `cost`: it is convex.
  static std::pair<double, double> below(const Piece& piece, double cost, double begin) {
    if (piece.square == 0) {
      return piece.constant < cost ? std::pair(begin, piece.end) : std::pair(begin, begin);
    }
    const double vertex = -piece.linear / (2 * piece.square);
    const double depth = cost - piece.at(vertex);
    if (!(depth > 0)) {
      return {begin, begin};
    }
    const double reach = std::sqrt(depth / piece.square);
    return {std::clamp(vertex - reach, begin, piece.end),
            std::clamp(vertex + reach, begin, piece.end)};
  }

  void append(const Piece& piece, double end) {
    if (next_.empty() || !next_.back().continues(piece)) {
      next_.push_back(piece);
    }
    next_.back().end = end;
  }

  double low_;
  std::vector<Piece> pieces_, next_;
};

constexpr double kLeastSuspectZ = 3;
/// One point fewer than a step needs: that is what makes this tier sooner.
constexpr std::size_t kFewestOfSegment = 2;
/// Within so many points of an accepted step it is the same one.
constexpr std::size_t kSameStep = 5;

bool is_among(const std::vector<std::size_t>& steps, std::size_t position) {
  return std::ranges::any_of(steps, [position](std::size_t step) {
    return step <= position + kSameStep && position <= step + kSameStep;
  });
}

/// Where in y the accepted steps are.
std::vector<std::size_t> positions_in(const SearchedValues& series,
                                      const std::vector<FoundStep>& accepted) {
  std::vector<std::size_t> steps;
  for (const FoundStep& step : accepted) {
    const auto found = std::ranges::lower_bound(series.position, step.index);
    if (found != series.position.end()) {
      steps.push_back(static_cast<std::size_t>(found - series.position.begin()));
    }
  }
  return steps;
}

}  // namespace

std::vector<std::size_t> biweight_segments(std::span<const double> y, double noise) {
  if (y.empty()) {
    return {};
  }
  // About the median and in deviations: whole numbers of small size, that lose no digits.
  std::vector<double> x(y.begin(), y.end());
  const double centre = median_in_place(x);
  std::ranges::transform(y, x.begin(), [&](double value) { return (value - centre) / noise; });
  const auto [low, high] = std::ranges::minmax(x);
  const double penalty = kPenalty * std::log(static_cast<double>(x.size()));

  LevelCost cost(low, high);
  std::vector<std::size_t> since(x.size());  // of the best level that ends with each point
  Best best;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0) {
      cost.allow_change(best.cost + penalty, i);
    }
    cost.add(x[i]);
    best = cost.best();
    since[i] = best.since;
  }
  std::vector<std::size_t> changes;
  for (std::size_t begin = since.back(); begin > 0; begin = since[begin - 1]) {
    changes.push_back(begin);
  }
  std::ranges::reverse(changes);
  return changes;
}

std::vector<FoundStep> find_suspects(const std::vector<double>& values,
                                     const std::vector<FoundStep>& accepted, Scale scale,
                                     std::span<const NoiseStretch> stretches) {
  const SearchedValues series = searched_values(values, scale);
  const NoiseLevels noise = noise_levels(series.y);
  const std::vector<std::size_t> settled = positions_in(series, accepted);
  std::vector<std::size_t> steps = settled;
  for (const std::size_t step : biweight_segments(series.y, noise.point)) {
    if (!is_among(settled, step)) {
      steps.push_back(step);
    }
  }
  std::ranges::sort(steps);
  const StepTest test{.least_z = kLeastSuspectZ, .fewest_points = kFewestOfSegment};
  const NoiseStretch whole{0, series.y.size(), noise};
  steps = verified_steps(steps, series.y, {&whole, 1}, scale, test, settled);

  const bool is_even = stretches.size() < 2;
  std::vector<FoundStep> suspects =
      described_steps(steps, series, is_even ? std::span(&whole, 1) : stretches, scale);
  std::erase_if(suspects, [&](const FoundStep& step) {
    return (!is_even && step.z < kLeastSuspectZ) ||
           std::ranges::find(accepted, step.index, &FoundStep::index) != accepted.end();
  });
  return suspects;
}

}  // namespace perf
