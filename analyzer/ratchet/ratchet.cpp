#include "analyzer/ratchet/ratchet.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "analyzer/analyze.h"
#include "analyzer/ratchet/attempt.h"
#include "analyzer/rows/comparison_rows.h"
#include "analyzer/samples/device_clocks.h"
#include "analyzer/statistics/shift.h"
#include "schema/error.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

constexpr std::size_t kMostResiduals = 400, kPairsForNoise = 8;
constexpr int kGainPairs = 20;
constexpr double kMostGain = 20;  // ln; from zero to something there is no ratio

void add_residuals(const std::vector<double>& gains, std::vector<double>& residuals) {
  const auto first = std::span(gains).first(std::min(gains.size(), kPairsForNoise));
  const std::vector<double> more = residuals_of(first);
  residuals.insert(residuals.end(), more.begin(), more.end());
  if (residuals.size() > kMostResiduals) {
    residuals.erase(residuals.begin(), residuals.end() - kMostResiduals);
  }
}

double sign_of_gain(const MetricStanding& one) {
  return one.series.metric.better == Better::lower ? -1 : 1;
}

/// The share of each gain that only a higher clock of head's device gives.
double given_by_clock(const WorkloadStanding& workload, const MetricStanding& one) {
  return std::max(sign_of_gain(one) * clock_effect(workload.samples, one), 0.0);
}

std::vector<double> gains_of(const WorkloadStanding& workload, const MetricStanding& one) {
  const double sign = sign_of_gain(one), given = given_by_clock(workload, one);
  return mapped(one.differences, [&](double difference) {
    return std::clamp(sign * difference - given, -kMostGain, kMostGain);
  });
}

bool is_goal(const MetricStanding& one, const RatchetGoal& goal) {
  return one.under_test && one.series.metric.name == goal.metric;
}

/// The mean of each pair over several series; as many pairs as all have.
std::vector<double> means_of(const std::vector<std::vector<double>>& series) {
  std::vector<double> means;
  for (std::size_t pair = 0;; ++pair) {
    double sum = 0;
    for (const std::vector<double>& one : series) {
      if (pair >= one.size()) {
        return means;
      }
      sum += one[pair];
    }
    means.push_back(sum / static_cast<double>(series.size()));
  }
}

std::string remark_on_clocks(const Standing& standing, const RatchetGoal& goal) {
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const MetricStanding& one : workload.series) {
      if (is_goal(one, goal) && given_by_clock(workload, one) > 0) {
        return "; head's device had a higher clock, which is not a gain";
      }
    }
  }
  return {};
}

std::vector<double> gains_of(const WorkloadStanding& workload, const RatchetGoal& goal) {
  std::vector<std::vector<double>> children;
  for (const MetricStanding& one : workload.series) {
    if (is_goal(one, goal)) {
      children.push_back(gains_of(workload, one));
    }
  }
  if (children.empty()) {
    throw UsageError("a workload does not measure this metric",
                     "--metric " + goal.metric + ": " + entry_name(*workload.samples.planned),
                     "choose the workloads with -w, or another metric");
  }
  return means_of(children);
}

RatchetEnd ended(AttemptOutcome outcome, const std::string& reason) {
  RatchetEnd end;
  end.outcome = outcome;
  end.reason = reason;
  return end;
}

/// A metric that only some processes of a side have: the others may be those where it is bad.
std::optional<RatchetEnd> gap_in(const MetricSamples& series, std::size_t pairs) {
  if (!series.judged || series.base.empty() || series.pairs.size() == pairs) {
    return std::nullopt;
  }
  const bool is_of_head = series.head.size() < series.base.size();
  return ended(is_of_head ? AttemptOutcome::worse : AttemptOutcome::failed,
               series.metric.name + " of " + series.workload + " is missing in runs of " +
                   (is_of_head ? "head" : "the best"));
}

/// Why a run cannot go on, by what it has measured so far.
std::optional<RatchetEnd> fault_in(const Standing& standing) {
  for (const WorkloadStanding& workload : standing.workloads) {
    const WorkloadSamples& samples = workload.samples;
    if (workload.is_same()) {
      continue;
    }
    if (samples.fate != Fate::paired || samples.given_up) {
      const std::string why = samples.fate == Fate::paired ? "its processes fail intermittently"
                                                           : samples.reason.text();
      return ended(AttemptOutcome::failed, entry_name(*samples.planned) + ": " + why);
    }
    for (const MetricStanding& one : workload.series) {
      if (auto gap = gap_in(one.series, samples.pairs.size())) {
        return gap;
      }
      if (one.incomparable) {
        return ended(AttemptOutcome::failed,
                     one.series.metric.name + " of " + one.series.workload + " is incomparable");
      }
    }
  }
  return std::nullopt;
}

/// A check that newly fails. Before the end of an attempt: in every run of head, so that one that
/// fails now and then on both sides rejects nothing.
std::optional<RatchetEnd> failed_check(const Standing& standing, bool is_last) {
  for (const Comparison& row : analyze(standing).comparisons) {
    for (const CheckResult& check : row.checks) {
      const bool always = check.head_runs > 1 && check.head_failed == check.head_runs;
      if (newly_fails(check) && (is_last || always)) {
        return ended(AttemptOutcome::check_failed,
                     "check " + check.name + " of " + row.workload +
                         (check.unreported > 0 ? " is not run at head" : " fails at head"));
      }
    }
  }
  return std::nullopt;
}

std::vector<GuardedSeries> guarded_by(const Standing& standing, const AttemptRule& rule) {
  const bool is_only_goal =
      standing.workloads.size() == 1 &&
      std::ranges::count_if(standing.workloads.front().series, [&](const MetricStanding& one) {
        return is_goal(one, rule.goal);
      }) == 1;
  std::vector<GuardedSeries> guarded;
  for (const WorkloadStanding& workload : standing.workloads) {
    for (const MetricStanding& one : workload.series) {
      if (one.under_test && !workload.is_same() && !(is_only_goal && is_goal(one, rule.goal))) {
        const std::vector<double> gains = gains_of(workload, one);
        guarded.push_back({one.series.workload, one.series.metric.name, gains,
                           estimate_centre(gains), one.threshold, false});
      }
    }
  }
  return guarded;
}

bool is_of_candidate(const RatchetRun& earlier, const RatchetRun& run) {
  return earlier.head.oid == run.head.oid ||
         (!run.head_program.empty() && earlier.head_program == run.head_program);
}

std::string name_of(const GuardedSeries& one) {
  return one.metric + " of " + one.workload;
}

}  // namespace

RatchetNoise noise_of(const std::vector<RatchetRun>& ledger, const RatchetRun& run) {
  RatchetNoise noise;
  for (const RatchetRun& earlier : ledger) {
    if (is_of_candidate(earlier, run)) {
      break;
    }
    if (!earlier.end || !earlier.is_attempt || earlier.goal != run.goal ||
        earlier.fingerprint != run.fingerprint) {
      continue;
    }
    add_residuals(earlier.end->gains, noise.goal);
    for (const GuardedSeries& one : earlier.end->guarded) {
      add_residuals(one.gains, noise.guarded[{one.workload, one.metric}]);
    }
  }
  return noise;
}

std::vector<double> goal_gains(const Standing& standing, const RatchetGoal& goal) {
  std::vector<std::vector<double>> workloads;
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.is_same()) {
      continue;
    }
    if (workload.samples.pairs.empty()) {
      return {};
    }
    workloads.push_back(gains_of(workload, goal));
  }
  std::vector<double> gains = means_of(workloads);
  const double share =
      static_cast<double>(workloads.size()) / static_cast<double>(standing.workloads.size());
  for (double& gain : gains) {
    gain *= share;
  }
  return gains;
}

AttemptState attempt_state(const Standing& standing, const AttemptRule& rule) {
  if (const std::optional<RatchetEnd> fault = fault_in(standing)) {
    return {true, *fault};
  }
  if (const std::optional<RatchetEnd> failed = failed_check(standing, false)) {
    return {true, *failed};
  }
  AttemptState state;
  RatchetEnd& end = state.end;
  end.gains = goal_gains(standing, rule.goal);
  end.guarded = guarded_by(standing, rule);
  const Bounds bounds = bounds_for(rule.goal.at_least, *standing.policy);
  const AttemptStanding goal =
      attempt_standing(end.gains, rule.noise.goal, rule.level, bounds, rule.most_pairs);
  end.estimate = estimate_centre(end.gains);
  end.evidence = goal.evidence.evidence;
  const auto decide = [&](AttemptOutcome outcome, const std::string& reason) {
    state.is_decided = true;
    end.outcome = outcome;
    end.reason = reason;
  };
  std::string unproven;
  for (GuardedSeries& one : end.guarded) {
    const std::vector<double> noise =
        value_or_empty(rule.noise.guarded, {one.workload, one.metric});
    const GuardStanding guard =
        guard_standing(one.gains, noise, rule.level, bounds_for(one.threshold, *standing.policy));
    one.passes = guard == GuardStanding::passes;
    if (guard == GuardStanding::worse) {
      decide(AttemptOutcome::worse, name_of(one) + ": the estimated loss exceeds its threshold");
    } else if (!one.passes) {
      unproven = name_of(one) + ": a loss of its threshold is not excluded";
    }
  }
  if (state.is_decided) {
    return state;
  }
  if (goal.answer == AttemptAnswer::refused) {
    decide(AttemptOutcome::refused,
           "the estimated gain is below --at-least" + remark_on_clocks(standing, rule.goal));
  } else if (goal.answer == AttemptAnswer::proven && unproven.empty()) {
    const std::optional<RatchetEnd> failed = failed_check(standing, true);
    decide(failed ? failed->outcome : AttemptOutcome::accepted, failed ? failed->reason : "");
  } else if (static_cast<int>(end.gains.size()) >= rule.most_pairs) {
    decide(AttemptOutcome::not_proven,
           goal.answer == AttemptAnswer::proven
               ? unproven
               : "the gain is not proven" + remark_on_clocks(standing, rule.goal));
  }
  return state;
}

double gain_level(int number) {
  const double place = std::numbers::pi * number;
  return 0.06 / (place * place);
}

int gain_pairs(double level) {
  int pairs = kGainPairs;
  while (std::pow(2.0, 1 - pairs) > level) {
    ++pairs;
  }
  return pairs;
}

}  // namespace perf
