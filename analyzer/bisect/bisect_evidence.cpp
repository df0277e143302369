#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "analyzer/bisect/bisect.h"
#include "analyzer/rule/decision.h"
#include "analyzer/samples/device_clocks.h"
#include "analyzer/samples/serving.h"
#include "analyzer/samples/standing.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "schema/error.h"
#include "schema/readings.h"
#include "schema/selection.h"
#include "schema/text/glob.h"
#include "schema/text/nearest_name.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

// Two timings never agree better than this, however alike a few pairs are (as in docs/verdicts.md).
constexpr double kNoiseFloor = 0.001;
// Nor is the noise believed to be less than this share of the step.
constexpr double kNoiseShare = 1.0 / 6;
// A fifth of normal values are so many standard deviations off.
constexpr double kNormalFifth = 1.2816;

// Degrees of freedom of the likelihood: real timings have such tails, and one wild pair must not
// outweigh the others.
constexpr double kTail = 4;

/// ln of how much likelier a difference is at the level `high` than at `low`.
double log_likelihood_ratio(double difference, const BisectRange& range, double noise) {
  const auto log_density = [noise](double distance) {
    const double z = distance / noise;
    return -(kTail + 1) / 2 * std::log1p(z * z / kTail);
  };
  return log_density(difference - range.high) - log_density(difference - range.low);
}

bool is_within(const BisectRange& range, int commit) {
  return commit >= range.good && commit <= range.bad;
}

/// The pairs of a commit that count as evidence: where another stands for it that counts
/// itself, none.
const std::vector<double>& informative_pairs(const BisectEvidence& evidence,
                                             const BisectRange& range, int commit) {
  static const std::vector<double> kNone{};
  const int at = standing_for(evidence, commit);
  return at < 0 || (at != commit && is_within(range, at))
             ? kNone
             : evidence.commits[static_cast<std::size_t>(at)].differences;
}

/// No step lies between two commits that run one program; unless that leaves no place at all, as
/// where history went back and forth.
void exclude_same_programs(const BisectEvidence& evidence, const BisectRange& range,
                           std::vector<double>& weights) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  std::vector<double> left = weights;
  for (int i = range.good + 1; i < range.bad; ++i) {
    const int at = standing_for(evidence, i);
    if (at == i || !is_within(range, at)) {
      continue;
    }
    const auto begin = left.begin() + (std::min(at, i) - range.good);
    std::fill(begin, begin + std::abs(at - i), kNever);
  }
  if (std::ranges::max(left) != kNever) {
    weights = std::move(left);
  }
}

const MetricStanding* series_under_test(const WorkloadStanding& workload,
                                        const std::string& benchmark) {
  const MetricStanding* found = nullptr;
  for (const MetricStanding& one : workload.series) {
    if (!one.under_test || !is_followed(one.series.workload, benchmark)) {
      continue;
    }
    if (found != nullptr) {
      throw UsageError(
          "the workload has several series of this metric",
          one.series.metric.name + " of " + found->series.workload + " and " + one.series.workload,
          "choose one: -w " + shell_word(one.series.workload));
    }
    found = &one;
  }
  return found;
}

/// A name that GOOD and the commit both lack is misspelt.
void require_benchmark(const std::string& entry, const Measurements& measurements,
                       const std::string& benchmark) {
  std::set<std::string> names;
  for (const Invocation& one : measurements.invocations) {
    for (const auto& [name, block] : named_blocks(one, entry, true)) {
      names.insert(name);
    }
  }
  const auto is_it = [&](const std::string& name) { return is_followed(name, benchmark); };
  if (std::ranges::none_of(names, is_it)) {
    throw UsageError("the workload has no such benchmark", benchmark,
                     instead_of(benchmark, {names.begin(), names.end()}));
  }
}

}  // namespace

double pair_noise_of(std::vector<double> distances, double step) {
  const std::size_t rank = (distances.size() * 4 + 4) / 5 - 1;
  const double fifth = nth_in_place(distances, rank);
  return std::max({kNormalDeviations * median(std::move(distances)), fifth / kNormalFifth,
                   kNoiseFloor, kNoiseShare * std::abs(step)});
}

void add_distances(std::span<const double> differences, double centre,
                   std::vector<double>& distances) {
  const auto n = static_cast<double>(differences.size());
  for (const double difference : differences) {
    distances.push_back(std::abs(difference - centre) * std::sqrt(n / (n - 1)));
  }
}

BisectEnds compare_ends(std::span<const double> differences, const Rule& rule, double resolution) {
  BisectEnds ends;
  const int measured = static_cast<int>(differences.size());
  for (const int look : rule.looks) {
    if (look > measured) {
      ends.wanted = look - measured;
      return ends;
    }
    const auto seen = differences.first(static_cast<std::size_t>(look));
    ends.shift =
        rule.early.at(look) ? early_shift(seen, rule.early) : estimate_shift(seen, rule.look_alpha);
    ends.pairs = look;
    if (!ends.shift) {
      continue;
    }
    std::vector<double> distances;
    add_distances(seen, ends.shift->estimate, distances);
    ends.noise = pair_noise_of(std::move(distances), ends.shift->estimate);
    if (ends.shift->high < std::max(rule.bounds.relevant, resolution)) {
      ends.answer = BisectEnds::Answer::not_worse;
      return ends;
    }
    if (ends.shift->low > 0 && ends.shift->estimate >= resolution) {
      ends.answer = BisectEnds::Answer::worse;
      return ends;
    }
  }
  ends.answer = BisectEnds::Answer::undecided;
  return ends;
}

double last_threshold(const BisectEnds& ends) {
  const double threshold = std::expm1(std::max(ends.shift->low / 2, ends.shift->estimate / 4));
  const double digits = std::pow(10, std::floor(std::log10(threshold)) - 1);
  return std::floor(threshold / digits) * digits;
}

std::vector<double> first_bad_probabilities(const BisectEvidence& evidence,
                                            const BisectRange& range, double noise) {
  std::vector<double> weights(static_cast<std::size_t>(range.bad - range.good));
  double odds = 0;
  for (int i = range.bad; i > range.good; --i) {
    if (i < range.bad) {  // the ends of the range are known
      for (const double one : informative_pairs(evidence, range, i)) {
        odds += log_likelihood_ratio(one, range, noise);
      }
    }
    weights[static_cast<std::size_t>(i - range.good - 1)] = odds;
  }
  exclude_same_programs(evidence, range, weights);
  const double most = std::ranges::max(weights);
  for (double& weight : weights) {
    weight = std::exp(weight - most);
  }
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
}

double noise_so_far(const BisectEvidence& evidence, const BisectEnds& ends) {
  const double step = ends.shift->estimate;
  std::vector<double> distances;
  for (const BisectCommit& commit : evidence.commits) {
    if (commit.differences.size() == 1) {
      const double one = commit.differences.front();
      distances.push_back(std::min(std::abs(one), std::abs(one - step)));
    } else if (!commit.differences.empty()) {
      add_distances(commit.differences, median(commit.differences), distances);
    }
  }
  return pair_noise_of(std::move(distances), step);
}

int standing_for(const BisectEvidence& evidence, int commit) {
  return commit < 0 ? commit
                    : evidence.commits[static_cast<std::size_t>(commit)].same_as.value_or(commit);
}

double level_at(const BisectEvidence& evidence, const BisectRange& range, int commit) {
  commit = commit == range.good || commit == range.bad ? commit : standing_for(evidence, commit);
  if (commit == range.good) {
    return range.low;
  }
  if (commit == range.bad) {
    return range.high;
  }
  if (commit < 0) {
    return 0;
  }
  return median(evidence.commits[static_cast<std::size_t>(commit)].differences);
}

double error_at(const BisectEvidence& evidence, const BisectRange& range, int commit,
                double noise) {
  commit = commit == range.good || commit == range.bad ? commit : standing_for(evidence, commit);
  if (commit == range.good || commit == range.bad || commit < 0) {
    return 0;
  }
  const std::size_t pairs = evidence.commits[static_cast<std::size_t>(commit)].differences.size();
  return kMedianError * noise / std::sqrt(static_cast<double>(pairs));
}

std::optional<double> log_odds_of_step(const BisectEvidence& evidence, const BisectRange& range,
                                       int before, int after, double noise) {
  const double step = range.high - range.low;
  const double seen = level_at(evidence, range, after) - level_at(evidence, range, before);
  const double error =
      std::hypot(error_at(evidence, range, before, noise), error_at(evidence, range, after, noise));
  if (error == 0) {
    return std::nullopt;
  }
  return step * (seen - step / 2) / (error * error);
}

bool is_followed(const std::string& series, const std::string& benchmark) {
  return benchmark.empty() || glob_match(benchmark, series) ||
         benchmark.starts_with(series + "/") || series.starts_with(benchmark + "/");
}

BisectSamples bisect_samples(const Plan& plan, const Measurements& measurements,
                             const Policy& policy, const std::string& benchmark) {
  assert(plan.workloads.size() == 1 && policy.metrics.size() == 1);
  const Standing standing = standing_of(plan, measurements, policy);
  require_named_metrics(standing, policy);
  const WorkloadStanding& workload = standing.workloads.front();
  BisectSamples samples;
  samples.steps = steps_per_invocation(workload, policy);
  if (workload.samples.fate == Fate::alone) {
    samples.base_failed = workload.samples.reason.text();
  } else if (workload.samples.fate == Fate::failed) {
    samples.head_failed = workload.samples.reason.text();
  } else if (workload.samples.given_up) {
    samples.head_failed = "its runs fail intermittently";
  }
  if (!benchmark.empty() && !workload.samples.pairs.empty()) {
    require_benchmark(plan.workloads.front().workload.name, measurements, benchmark);
  }
  if (const MetricStanding* one = series_under_test(workload, benchmark)) {
    samples.metric = one->series.metric;
    samples.workload = one->series.workload;
    samples.resolution =
        resolution_at(one->series.pairs.front().base.value, one->series.metric.name);
    if (one->incomparable) {
      const auto& too_few = one->series.too_few;
      samples.head_failed = !too_few ? "its " + one->series.metric.name + " has no ratio to GOOD's"
                                     : "a process has " + std::to_string(too_few->steps) +
                                           " timed steps: " + one->series.metric.name + " needs " +
                                           std::to_string(too_few->needed);
    }
    samples.is_dear = workload.looks.early.first > 0;
    samples.one_order = one->rule.early.one_order;
    const double sign = one->series.metric.better == Better::lower ? 1 : -1;
    const double of_clocks = clock_effect(workload.samples, *one);
    for (const double difference : one->differences) {
      samples.differences.push_back(sign * (difference - of_clocks));
    }
  } else if (!workload.samples.pairs.empty()) {
    samples.head_failed =
        "it has no " + policy.metrics.front() + (benchmark.empty() ? "" : " of " + benchmark);
  }
  return samples;
}

}  // namespace perf
