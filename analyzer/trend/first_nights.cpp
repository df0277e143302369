#include "analyzer/trend/first_nights.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <random>
#include <ranges>
#include <string>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/trend/trend_series.h"
#include "schema/selection.h"

namespace perf {
namespace {

constexpr std::size_t kMostPoints = 100;
constexpr std::size_t kAfter = 4;  ///< points after the step
constexpr std::uint32_t kWantedSeed = 20260131;

/// A standard normal number after Box & Muller (Ann. Math. Stat. 29, 1958): the standard library's
/// own distribution differs from one implementation to the next.
double normal(std::mt19937& random) {
  const double scale = 1.0 / (static_cast<double>(std::mt19937::max()) + 2);
  const double radius = (static_cast<double>(random()) + 1) * scale;
  const double angle = (static_cast<double>(random()) + 1) * scale;
  return std::sqrt(-2 * std::log(radius)) * std::cos(2 * std::numbers::pi * angle);
}

/// The share of series with so many points after a step in which it is found.
double share_found(std::size_t points, std::size_t after, double noise, double change,
                   int replicas) {
  std::mt19937 random(kWantedSeed);
  int found = 0;
  for (int i = 0; i < replicas; ++i) {
    std::vector<double> values;
    for (std::size_t at = 0; at < points; ++at) {
      values.push_back(std::exp(noise * normal(random)) * (at + after < points ? 1 : 1 + change));
    }
    found += find_steps(values).empty() ? 0 : 1;
  }
  return static_cast<double>(found) / replicas;
}

constexpr double kFoundIn = 0.8;
/// A promise: with some of the share in hand, by more replicas.
constexpr double kPromisedIn = 0.85;
constexpr int kReplicas = 20, kReplicasToPromise = 100;
constexpr double kLeast = 1, kMost = 256;  ///< of the steps tried, deviations
constexpr double kPrecision = 1.03;

/// Of few points the noise may be more than they show.
constexpr double kKnownByFew = 2;
constexpr std::size_t kNights = 7;
constexpr std::size_t kFewestToSay = 3;  ///< points
constexpr std::size_t kDay = 10;         ///< characters of 2026-01-31

/// The usual series of those that may alert and are measured.
struct UsualSeries {
  std::size_t points = 0, points_of_all = 0;
  double noise = 0;
};

UsualSeries usual_series(const TrendReport& report) {
  UsualSeries usual;
  std::vector<double> points, noises;
  for (const TrendSeries& series : report.series) {
    if (series.live && may_alert(series, report.policy)) {
      points.push_back(static_cast<double>(series.points.size()));
      noises.push_back(series.noise);
      usual.points_of_all += series.points.size();
    }
  }
  if (!points.empty()) {
    usual.points = static_cast<std::size_t>(median_in_place(points));
    usual.noise = median_in_place(noises);
  }
  return usual;
}

/// The median over the days that the busiest machine measured on, but the first, on which history
/// may be filled in; 1 at least.
std::size_t commits_a_night(const MeasuredLine& measured, const RecordedHistory& recorded) {
  std::map<std::string, double> days;
  const auto busiest = std::ranges::max_element(
      measured.machines, {}, [](const auto& machine) { return machine.second.size(); });
  if (busiest != measured.machines.end()) {
    for (const MachineCommit& commit : busiest->second) {
      if (commit.run < recorded.runs.size()) {
        days[recorded.runs[commit.run].started_at.substr(0, kDay)] += 1;
      }
    }
  }
  if (days.size() < 2) {
    return 1;
  }
  days.erase(days.begin());
  std::vector<double> counts;
  std::ranges::copy(std::views::values(days), std::back_inserter(counts));
  return static_cast<std::size_t>(median_in_place(counts));
}

}  // namespace

std::size_t points_wanted(double noise, double change) {
  for (std::size_t points = 2 * kAfter; points <= kMostPoints; ++points) {
    if (share_found(points, kAfter, noise, change, kReplicas) >= kFoundIn) {
      return points;
    }
  }
  return 0;
}

std::optional<double> findable_step(double noise, std::size_t points) {
  const std::size_t after = std::min(kAfter, points / 2);
  const auto is_found = [&](double deviations) {
    return share_found(points, after, noise, std::expm1(noise * deviations), kReplicasToPromise) >=
           kPromisedIn;
  };
  double below = kLeast, found = kMost;
  if (!is_found(found)) {
    return std::nullopt;
  }
  while (found > kPrecision * below) {
    const double middle = std::sqrt(below * found);
    (is_found(middle) ? found : below) = middle;
  }
  return std::expm1(noise * found);
}

void add_first_nights(TrendReport& report, const MeasuredLine& measured,
                      const RecordedHistory& recorded) {
  const UsualSeries usual = usual_series(report);
  if (usual.points < kFewestToSay || usual.points >= kFewestToShow) {
    return;
  }
  const double noise =
      usual.noise * (1 + kKnownByFew / std::sqrt(static_cast<double>(usual.points_of_all)));
  report.findable_now = findable_step(noise, usual.points);
  report.findable_in_week =
      findable_step(noise, usual.points + kNights * commits_a_night(measured, recorded));
}

}  // namespace perf
