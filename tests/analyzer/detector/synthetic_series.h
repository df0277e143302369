#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace perf::test {

/// The natures of noise that a detector of steps has to live with.
enum class Nature {
  white,       ///< normal
  outliers,    ///< normal, 5 % of the points 5 to 30 deviations away, most of them up
  heavy,       ///< t with 2.5 degrees of freedom
  bimodal,     ///< two modes, chosen anew for every point, 2 to 6 deviations apart
  sticky,      ///< two modes, 1.5 to 3.5 deviations apart, each kept for 5 to 15 points on average
  correlated,  ///< first-order autoregression, 0.5 to 0.8
  changing,    ///< normal, the deviation changes by up to three times, in stretches
  quantised,   ///< normal, rounded to 1.5 deviations
};
std::vector<Nature> all_natures();
std::string name_of(Nature nature);

/// Two modes so many deviations apart, each kept for `run` points on average (2: chosen anew for
/// every point), mean about 0, in units of the deviation about either mode.
std::vector<double> two_modes(std::size_t points, double apart, double run,
                              std::mt19937_64& random);

/// Two modes so many deviations apart, chosen anew for every point, the upper one for a `share`.
std::vector<double> uneven_modes(std::size_t points, double apart, double share,
                                 std::mt19937_64& random);

/// Whole numbers: a level so many ticks high with normal noise of so many, rounded.
std::vector<double> whole_ticks(std::size_t points, double level, double deviation,
                                std::mt19937_64& random);

/// `points` values of ln(time), mean about 0, of about this deviation.
std::vector<double> noise_of(Nature nature, std::size_t points, double deviation,
                             std::mt19937_64& random);

/// A series of times: exp of the noise, grown by `change` (relative) from point `step` on.
std::vector<double> times(std::vector<double> noise, std::size_t step = 0, double change = 0);

/// A series of times and where it steps.
struct Planted {
  std::vector<double> values;
  std::vector<std::size_t> steps;
};

/// Steps at even distances in white noise: of `change` each, or up and down in turn.
enum class Course { in_turn, onward };
Planted with_steps(std::size_t points, std::size_t steps, double change, Course course,
                   double deviation, std::mt19937_64& random);

/// A step of 5 % up or down at 1 % white noise, in the middle three fifths of 200 points that grow
/// by 5 % besides.
Planted step_beside_drift(std::mt19937_64& random);

/// How a detector did on series of one nature.
struct Score {
  std::size_t series = 0, points = 0;
  std::size_t alarmed = 0;          ///< clean series with any alarm
  std::size_t false_alarms = 0;     ///< on clean series
  std::size_t steps = 0, hits = 0;  ///< planted in as many other series; found within 5 points
  std::size_t extra = 0;            ///< alarms beside the planted step

  double clean_rate() const { return static_cast<double>(alarmed) / static_cast<double>(series); }
  double recall() const { return static_cast<double>(hits) / static_cast<double>(steps); }
};

/// `replicas` clean series of 100 to 300 points at 1 % noise, and as many with a step of `change`
/// (up or down) at least a fifth of the series and 15 points from either end.
Score score_steps(Nature nature, std::size_t replicas, double change, std::uint64_t seed);
/// The same of noise from `unit_noise(points, random)`, in units of the deviation.
using UnitNoise = std::function<std::vector<double>(std::size_t, std::mt19937_64&)>;
Score score_steps(const UnitNoise& unit_noise, std::size_t replicas, double change,
                  std::uint64_t seed);

/// The steps planted in `replicas` such series.
Score score_planted(const std::function<Planted(std::mt19937_64&)>& series, std::size_t replicas,
                    std::uint64_t seed);
/// Such series, in all of which a step is a false alarm.
Score score_clean(const std::function<std::vector<double>(std::mt19937_64&)>& series,
                  std::size_t replicas, std::uint64_t seed);

}  // namespace perf::test
