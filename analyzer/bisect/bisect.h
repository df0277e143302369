#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analyzer/rule/decision.h"
#include "analyzer/statistics/shift.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// Whether BAD is worse than GOOD, and by how much: with the looks of an ordinary comparison.
struct BisectEnds {
  enum class Answer {
    open,       ///< more pairs are needed
    not_worse,  ///< the whole interval is below the threshold: there is no step of that size
    worse,      ///< else, the whole interval is above 0: there is a step to search for
    undecided,  ///< the last look is taken, and neither is shown
    same,       ///< they run the same program: nothing is measured
  };
  Answer answer = Answer::open;
  int pairs = 0;               ///< behind the answer, or behind the last look taken
  int wanted = 0;              ///< pairs to the next look, while it is open
  std::optional<Shift> shift;  ///< at that look; ln, positive = worse
  double noise = 0;            ///< s: of one pair's difference, ln
};
/// `resolution`: ln; smaller steps cannot be resolved.
BisectEnds compare_ends(std::span<const double> differences, const Rule& rule,
                        double resolution = 0);

/// The threshold at which the neighbours of the step are compared in the end, relative: half the
/// lower bound of the step between the ends, at least a quarter of its estimate; rounded down to
/// two digits.
double last_threshold(const BisectEnds& ends);

/// The scale of normal noise that has these distances from its centre: by their median, and by what
/// a fifth of them exceeds, whichever is larger. A machine that is disturbed now and then has a
/// quiet median; taken for its noise, that would make evidence of every disturbance. Never below
/// 0.1 %, nor below a sixth of `step`, so that no commit is judged by a single pair alone.
double pair_noise_of(std::vector<double> distances, double step);

/// Adds what pairs are off their centre, made up for the centre being theirs.
void add_distances(std::span<const double> differences, double centre,
                   std::vector<double>& distances);

/// What is known of one commit between GOOD and BAD.
struct BisectCommit {
  /// ln(commit/GOOD) of each pair measured against GOOD, in that order; positive = worse, whatever
  /// the metric's direction.
  std::vector<double> differences;
  bool skipped = false;  ///< it cannot be measured (it does not build, or its workload fails)
  /// The commit whose pairs count for this one, because it runs the same program; -1: GOOD. That
  /// one has no same_as itself.
  std::optional<int> same_as{};
};

/// What a bisection has measured so far.
struct BisectEvidence {
  std::vector<BisectCommit> commits;   ///< oldest first, without GOOD; the last one is BAD
  std::optional<std::size_t> current;  ///< the commit measured last: its build is at hand
  double resolution = 0;               ///< ln: of compare_ends
};

/// A stretch of history that holds a step from one level to another.
struct BisectRange {
  int good = -1;             ///< the step lies after this commit
  int bad = 0;               ///< and at or before this one
  double low = 0, high = 0;  ///< their levels, ln against GOOD
};

/// Probability of every commit of a range to be the first bad one, each as likely as the others
/// beforehand: where k is the first, those from k on are at `high` and those before it at `low`.
/// Indexed from range.good + 1. The likelihood is that of Student's t with 4 degrees of freedom:
/// K. L. Lange, R. J. A. Little & J. M. G. Taylor, "Robust statistical modeling using the t
/// distribution", JASA 84 (1989), 881-896.
std::vector<double> first_bad_probabilities(const BisectEvidence& evidence,
                                            const BisectRange& range, double noise);

/// The noise of a pair as all commits measured so far show it. A single pair shows at least how far
/// it is from both levels that it could be at.
double noise_so_far(const BisectEvidence& evidence, const BisectEnds& ends);

/// The commit that stands for one: itself, or the one that runs the same program.
int standing_for(const BisectEvidence& evidence, int commit);

/// The level of a commit, and its standard error: by its pairs, or as the range has it of its ends.
double level_at(const BisectEvidence& evidence, const BisectRange& range, int commit);
double error_at(const BisectEvidence& evidence, const BisectRange& range, int commit, double noise);

/// ln of how much likelier the levels of two neighbours are with the step between them than without
/// it, by the normal errors of their medians; nothing where both are ends of the range, whose
/// levels are known.
std::optional<double> log_odds_of_step(const BisectEvidence& evidence, const BisectRange& range,
                                       int before, int after, double noise);

/// Where a search stands. Commits are counted as in BisectEvidence::commits; GOOD is -1.
struct BisectSearch {
  bool found = false;
  bool certain = false;    ///< else too many pairs were needed, or they contradicted
  int last_good = -1;      ///< the answer, or the likeliest so far: the step lies after this commit
  int first_bad = 0;       ///< and at or before this one; between them only skipped commits
  double probability = 0;  ///< of that answer, given everything measured
  std::vector<double> bad;  ///< per commit: the probability that it is bad
  std::size_t commit = 0;   ///< to measure next, one pair, while nothing is found
  double noise = 0;         ///< s: of one pair's difference, ln, as all commits show it
};

/// The search for the step that `ends` has shown, as docs/bisect.md describes it. Commits that run
/// GOOD's program or BAD's are at their levels: the step lies after the last of the former, up to
/// the first of the latter behind that. Between two that run one program there is none. The commit
/// to measure next is the one that splits the probability in half; a pair moves the odds of a
/// commit by its likelihood ratio under a Student t with 4 degrees of freedom; the neighbours of
/// the step must have been seen to differ. Pure; its cost is linear in the number of commits.
///
/// After S. Waeber, P. I. Frazier & S. G. Henderson, "Bisection search with noisy responses", SIAM
/// J. Control Optim. 51 (2013), 2261-2279; the robust likelihood after K. L. Lange, R. J. A. Little
/// & J. M. G. Taylor, "Robust statistical modeling using the t distribution", JASA 84 (1989),
/// 881-896.
BisectSearch search_step(const BisectEvidence& evidence, const BisectEnds& ends);

/// The state of a bisection: the result at its ends, the search, and what to measure next.
struct BisectStanding {
  BisectEnds ends;
  std::optional<BisectSearch> search;  ///< once BAD has been shown to be worse
  std::optional<std::size_t> commit;   ///< to measure against GOOD; absent at the end
  int pairs = 0;                       ///< how many, before looking again
};
BisectStanding bisect_standing(const BisectEvidence& evidence, const Rule& rule);

/// The level of a commit and how well it is known: the median of its differences, +- 1.96 standard
/// errors by that noise of a pair. Nothing for a commit without pairs.
std::optional<Shift> level_of(const BisectCommit& commit, double noise);

/// The result of a run of one workload, a commit (head) against GOOD (base), for a bisection.
struct BisectSamples {
  /// ln(head/base) by pair, of cycles if the clocks of a device differ; positive = worse.
  std::vector<double> differences;
  std::optional<Metric> metric;  ///< as it was measured; absent before the first pair
  std::string workload;          ///< whose it is: the entry's name, or ENTRY/BENCHMARK
  double resolution = 0;         ///< relative (resolution_at)
  bool is_dear = false;          ///< its pairs are (early_looks.h)
  int one_order = 0;             ///< EarlyLooks::one_order
  int steps = 0;                 ///< timed steps that an invocation should take
  std::string head_failed;       ///< why the commit cannot be measured; empty when it can
  std::string base_failed;       ///< why GOOD cannot be measured; empty when it can
};

/// Reads a run by the rules of an ordinary comparison (which pairs count, when a side has failed).
/// The metric is the one that policy.metrics names, of the benchmark of that name (a glob) where
/// the workload yields several; empty: it yields one. Throws UsageError where the workload does not
/// have the metric, or has it for several series.
BisectSamples bisect_samples(const Plan& plan, const Measurements& measurements,
                             const Policy& policy, const std::string& benchmark = {});

/// Whether a series is what is searched in: a glob (empty: anything). A workload that yields one
/// benchmark at a commit calls it by its own name.
bool is_followed(const std::string& series, const std::string& benchmark);

}  // namespace perf
