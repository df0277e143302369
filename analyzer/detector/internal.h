#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analyzer/detector/change_points.h"
#include "analyzer/detector/levels.h"

namespace perf {

// Steps of the search of change_points.h, for the detector and its tests alone.

/// Cumulative sums of the values, n + 1 of them, taken about the first value for the digits' sake.
std::vector<double> cumulative_sums(std::span<const double> values);

/// The values less the mean of their part, parts between the cuts (positions, ascending).
std::vector<double> about_means(std::span<const double> values,
                                const std::vector<std::size_t>& cuts);

/// A cut of a range of values into two means.
struct Cut {
  std::size_t step = 0;  ///< first position of the right part
  /// (difference of the means)^2 l r / (l + r), l and r the points on either side: what the cut
  /// explains of the sum of squares. Divided by the variance, a squared t statistic.
  double explained = -1;
};

/// Finds the best cut of any range of one length, with `fewest` points or more on either side.
class CutFinder {
 public:
  CutFinder(std::size_t length, std::size_t fewest);

  /// The cut of [begin, begin + length) that explains most, the first of equals; where none
  /// explains more than `beyond`, `explained` is that. `sums` are cumulative_sums of the whole
  /// series.
  Cut best(std::span<const double> sums, std::size_t begin, double beyond = -1) const;

 private:
  std::size_t fewest_;
  std::vector<double> weights_;  ///< length / (l r), by l
};

/// Schwarz's criterion of a fit with normal residuals, less what all fits of the same points share:
/// n ln(squares / n) + parameters ln n; the least is best. G. Schwarz, "Estimating the dimension of
/// a model", Annals of Statistics 6 (1978), 461-464.
double criterion(double squares, std::size_t points, std::size_t parameters);

/// The same of levels between the cuts (ascending), each cut a place and a level; `others` are the
/// parameters of what was taken out of y before.
double levels_criterion(std::span<const double> y, const std::vector<std::size_t>& cuts,
                        std::size_t others = 0);

/// The y less a line through 0 at the first of them.
std::vector<double> less_line(std::span<const double> y, double slope);

/// What the difference of two means has to exceed, in its standard errors by the long-run noise:
/// c sqrt(2 ln n) (1 + (12/n)^2). The c is 1.1 where points are independent, and rises to 1.4 as
/// the long-run noise reaches twice that of neighbours: where points are correlated, few blocks
/// underestimate their noise. Short series do so even more: the last factor.
double proposal_threshold(const NoiseLevels& noise);

/// Where a series may step, each position the first point after the step. A proposal: it is for
/// verified_steps to test them.
///
/// Seeded intervals (Kovacs, Buehlmann, Li & Munk, Biometrika 110 (2023), 249-256) of lengths
/// n / 2^(j/2) >= 4, shifted by half; in each the best cut into two means, sides of 2 or more;
/// those beyond proposal_threshold are taken narrowest first (Baranowski, Chen & Fryzlewicz, JRSS B
/// 81 (2019), 649-672), where no taken step lies inside.
class Proposals {
 public:
  /// Searches for what may be a step if points are independent: the long-run noise of `noise`,
  /// which is never less than the neighbours', is not asked for.
  explicit Proposals(const NoiseLevels& noise);

  /// Those beyond the threshold by such noise of the same series; positions, ascending.
  std::vector<std::size_t> beyond(const NoiseLevels& noise) const;

 private:
  struct Candidate {
    std::size_t begin = 0, end = 0;
    Cut cut;
  };

  void add(std::span<const double> sums, std::size_t length, double least_explained);

  std::vector<Candidate> candidates_;  ///< the narrowest first
};

/// The noise of a point by its neighbours, from k = 1 of NoiseLevels::point only.
double neighbour_noise(std::span<const double> y);

/// What a lasting change of noise has to be, to begin another stretch.
struct NoiseBreakTest {
  double least_ratio = 2;     ///< of the noise by neighbours
  double least_errors = 4.5;  ///< of the difference of the means of distances
};

/// Where the noise of y changes for good: positions of the first points of the new noise,
/// ascending; 15 points or more between them. The distances of neighbours, cut to 4 of their
/// medians, are cut in two by their means again and again (Vostrikova, "Detecting disorder in
/// multidimensional random processes", Soviet Mathematics Doklady 24 (1981)), where these differ by
/// enough of their standard errors by the distances' long-run noise. A step is one distance.
std::vector<std::size_t> noise_breaks(std::span<const double> y, const NoiseBreakTest& test = {});

/// The noise of a series whose points are independent: all of it is that of neighbours.
NoiseLevels if_independent(NoiseLevels noise);

/// Evidence against one mixture of modes on both sides of a step: the larger of two chi
/// squares of one degree of freedom. Both are 0 where the values do not go in the direction of the
/// step, which is within y.
/// - Twice the logarithm of the likelihood of two shares of points beyond `middle`, one before and
///   one after, over that of one share for all (the G test of a 2 x 2 table: Wilks, Annals of
///   Mathematical Statistics 9 (1938), 60-62). Points at the middle count half.
/// - The square of Wilcoxon's rank sum in its standard errors (Biometrics Bulletin 1, 1945). It
///   is stronger where the noise hides the middle, and is computed where the first is not `enough`.
double order_evidence(std::span<const double> y, std::size_t step, double middle, bool is_rise,
                      double enough);

/// What it has to exceed in a series of `points`: 2 ln n + 2. A place and a length are chosen among
/// n: 2 ln n; of what is left, clean series of two modes exceed 2 in one of a hundred.
double least_order_evidence(std::size_t points);

/// Evidence of two neighbouring segments of y for a step between them.
struct StepEvidence {
  double difference = 0;                     ///< median right - median left
  double middle = 0;                         ///< of the medians
  double error = 0;                          ///< of the difference, one standard error
  double z = 0;                              ///< |difference| / error
  double noise_before = 0, noise_after = 0;  ///< 1.4826 x median distance from the median
};

/// Segments are positions in y: [begin, step) and [step, end), neither empty.
StepEvidence step_evidence(std::span<const double> y, std::size_t begin, std::size_t step,
                           std::size_t end, const NoiseLevels& noise);

/// A break of noise is placed no better than this, points.
inline constexpr std::size_t kNearBreak = 8;

/// How a step is tested.
struct TestedStep {
  std::size_t begin = 0, end = 0;  ///< of the segments beside it
  std::size_t from = 0, to = 0;    ///< the noise of these points is the step's
  const NoiseLevels* noise = nullptr;
  bool at_break = false;  ///< the noise changes within kNearBreak
};

/// A step between its neighbours: segments end where the noise changes, but for a step there.
TestedStep tested_step(std::span<const NoiseStretch> stretches, std::size_t before,
                       std::size_t step, std::size_t after);
StepEvidence step_evidence(std::span<const double> y, const TestedStep& tested, std::size_t step);

/// The standard error that a step between so many points of one even noise is seen with.
double expected_error(std::size_t left, std::size_t right, const NoiseLevels& noise);

/// Which steps of a list stand the test of docs/detector.md, "Algorithm", item 4.
struct StepTest {
  double least_z = 2.8;
  double least_change = 0.01;     ///< relative
  double least_at_break = 2;      ///< deviations of a point, where the noise changes
  std::size_t fewest_points = 3;  ///< on either side
  bool by_order = true;           ///< and least_order_evidence: modes are no step
};

/// Drops the weakest of the steps (positions in y, ascending) until each one left stands the test
/// against the segments between its neighbours. Those of `settled` (ascending) are never dropped.
std::vector<std::size_t> verified_steps(const std::vector<std::size_t>& steps,
                                        std::span<const double> y,
                                        std::span<const NoiseStretch> stretches, Scale scale,
                                        const StepTest& test,
                                        const std::vector<std::size_t>& settled = {});

/// Moves each of the steps (positions, ascending) to where two means fit the points between its
/// neighbours best. The narrow interval that showed a step first places it less precisely.
void place_steps(std::vector<std::size_t>& steps, std::span<const double> clipped);

/// The steps (positions in y, ascending) with their description.
std::vector<FoundStep> described_steps(const std::vector<std::size_t>& steps,
                                       const SearchedValues& series,
                                       std::span<const NoiseStretch> stretches, Scale scale);

/// The steps of y (positions, ascending) that are clear by what stands beside them: to be taken out
/// before the noise is estimated (noise_about_steps), which they would raise until it hides them.
///
/// The series is cut by the noise of neighbours alone, as if points were independent: steps and
/// modes that last cannot be separated yet. Clear is a cut at which the means of the
/// segments on its two sides differ by 11 standard errors or more, by the deviation about those
/// means. Modes 3.5 deviations apart, as far as they get without looking like two, reach that where
/// both stay for 20 points; of those that stay for 15 on average one in 14 does. So a step is not
/// clear between two levels that the series goes between and soon back (12 points) twice within 150
/// points.
std::vector<std::size_t> clear_steps(const std::vector<double>& y, const NoiseLevels& noise,
                                     const Proposals& proposals, Scale scale);

}  // namespace perf
