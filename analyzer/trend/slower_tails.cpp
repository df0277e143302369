#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/internal.h"
#include "analyzer/samples/samples.h"
#include "analyzer/trend/internal.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr double kLeastTailZ = 4;
constexpr double kLeastOfTail = 0.01;  ///< relative change of the quantile
/// The median moved too: by so much of what the tail did, and by so many of its errors.
constexpr double kShareOfTail = 0.5, kErrorsOfMedian = 2;

/// The series that the tails are.
MeasuredSeries series_of_tails(const MeasuredSeries& measured) {
  MeasuredSeries tails;
  tails.series.key = measured.series.key;
  tails.series.key.metric = kTailMetric;
  tails.series.entry = measured.series.entry;
  tails.series.metric = {kTailMetric, "1", measured.series.metric.better};
  tails.series.can_be_compared = measured.series.can_be_compared;
  tails.series.points = measured.series.points;
  tails.origins = measured.origins;
  std::size_t i = 0;
  for (TrendPoint& point : tails.series.points) {
    const float tail = measured.tails[i++];
    point.value = tail > 0 ? tail : std::numeric_limits<double>::quiet_NaN();
  }
  return tails;
}

/// Steps of the ratio to the median. Searched is what it is above 1, or rather 0.99: the larger it
/// is the noisier, in proportion; and differences of much less than 1 % do not count.
std::vector<FoundStep> steps_of_tails(const TrendSeries& tails) {
  constexpr double kBelow = 1 - kLeastOfTail;
  std::vector<double> beyond = mapped(tails.points, &TrendPoint::value);
  std::ranges::for_each(beyond, [](double& one) { one -= kBelow; });
  std::vector<FoundStep> steps = find_steps(beyond);
  for (FoundStep& step : steps) {
    const double share = 1 - kBelow / level_of(tails, step.left_begin, step.index);
    for (double* of : {&step.change, &step.interval.low, &step.interval.high, &step.noise_before,
                       &step.noise_after}) {
      *of *= share;
    }
  }
  return steps;
}

/// Whether the median moved with a tail, by the points beside it between the steps of the series.
bool median_moved(const FoundStep& tail, const TrendSeries& series) {
  std::size_t begin = tail.left_begin, end = tail.right_end;
  for (const ChangePoint& step : series.change_points) {
    begin = step.index <= tail.index ? std::max(begin, step.index) : begin;
    end = step.index > tail.index ? std::min(end, step.index) : end;
  }
  const double moved = std::abs(
      log_distance(level_of(series, begin, tail.index), level_of(series, tail.index, end)));
  const double error =
      level_error(series.noise, std::max<std::size_t>(tail.index - begin, 1), end - tail.index);
  return moved >= kShareOfTail * std::abs(log_change(tail.change)) &&
         moved >= kErrorsOfMedian * error;
}

}  // namespace

void find_tails(MeasuredSeries& measured, const SearchedLine& line) {
  if (!measured.tails.empty() &&
      step_quantiles(line.policy, measured.series.key.workload).empty()) {
    const MeasuredSeries tails = series_of_tails(measured);
    std::vector<FoundStep> steps = steps_of_tails(tails.series);
    std::erase_if(steps, [](const FoundStep& step) {
      return step.z < kLeastTailZ || std::abs(step.change) < kLeastOfTail;
    });
    add_steps(steps, Scale::log, line, tails, measured.series.tails);
    for (const FoundStep& step : steps) {
      if (median_moved(step, measured.series)) {
        measured.moved_medians.insert(step.index);
      }
    }
  }
  std::vector<float>().swap(measured.tails);
}

void drop_tails_of_medians(MeasuredSeries& measured) {
  const auto is_near = [](const ChangePoint& tail, const std::vector<ChangePoint>& steps) {
    return std::ranges::any_of(steps, [&](const ChangePoint& step) {
      return step.index <= tail.index + kNearBreak && tail.index <= step.index + kNearBreak;
    });
  };
  TrendSeries& series = measured.series;
  std::erase_if(series.tails, [&](const ChangePoint& tail) {
    return measured.moved_medians.contains(tail.index) || is_near(tail, series.change_points) ||
           is_near(tail, series.suspects);
  });
}

}  // namespace perf
