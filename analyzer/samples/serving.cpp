#include "analyzer/samples/serving.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <set>
#include <span>
#include <utility>

namespace perf {
namespace {

constexpr std::size_t kRecentPairs = 3;
constexpr double kNever = std::numeric_limits<double>::infinity();

double recent_pair_seconds(const WorkloadSamples& samples) {
  return pair_seconds(std::span(samples.pairs).last(std::min(samples.pairs.size(), kRecentPairs)));
}

struct Candidate {
  std::size_t workload = 0;    ///< in Plan::workloads
  double to_verdict = kNever;  ///< s
  double to_next_look = 0;     ///< s
};

Candidate candidate_of(const Standing& standing, const WorkloadStanding& workload) {
  const double seconds = seconds_a_pair(standing, workload);
  Candidate candidate;
  candidate.workload = workload.index;
  candidate.to_next_look = seconds * pairs_to_next_look(workload);
  for (const MetricStanding& one : workload.series) {
    if (one.open()) {
      const double pairs = std::max(pairs_to_verdict(one), 1.0);
      candidate.to_verdict = std::min(candidate.to_verdict, seconds * pairs);
    }
  }
  const bool is_early = static_cast<int>(workload.samples.pairs.size()) < workload.looks.early.end;
  if (is_early && candidate.to_verdict < kNever) {  // the next look, a pair away, decides nothing
    candidate.to_next_look = std::max(candidate.to_next_look, candidate.to_verdict);
  }
  return candidate;
}

std::set<std::size_t> left_out(std::vector<Candidate> candidates, double budget_left) {
  // Hopeless ones among themselves go by what their next look costs.
  std::ranges::stable_sort(candidates, {}, [](const Candidate& one) {
    return std::pair(one.to_verdict, one.to_next_look);
  });
  std::set<std::size_t> out;
  double spent = 0;
  for (const Candidate& candidate : candidates) {
    if (spent == 0 || spent + candidate.to_next_look <= budget_left) {
      spent += candidate.to_next_look;
    } else {
      out.insert(candidate.workload);
    }
  }
  return out;
}

/// At an early look, where the pairs so far lie far enough beyond the bound already for some.
int pairs_to_first_verdict(const MetricStanding& one) {
  const EarlyLooks& early = one.rule.early;
  const int seen = static_cast<int>(one.differences.size());
  if (early.first == 0 || seen < early.plain) {
    return seen < early.first ? one.rule.first_verdict() : one.rule.first_interval();
  }
  EarlyLooks with_half = early;
  with_half.plain -= kHalfMargin;
  const auto shift = early_shift(one.differences, with_half);
  const bool is_near =
      shift && verdict_at_look(*shift, one.rule.better, one.rule.bounds) != Verdict::inconclusive;
  return is_near ? std::max(seen + 1, std::min(early.plain + kHalfMargin, early.end)) : early.end;
}

}  // namespace

double pairs_to_verdict(const MetricStanding& one) {
  const std::vector<int>& looks = one.rule.looks;
  const auto seen = static_cast<double>(one.differences.size());
  if (looks.empty() || !one.open() || (one.decision.look > 0 && !one.decision.pairs_needed)) {
    return kNever;
  }
  if (one.decision.look == 0) {
    return pairs_to_first_verdict(one) - seen;
  }
  const auto look = std::ranges::lower_bound(looks, *one.decision.pairs_needed);
  return look == looks.end() ? kNever : *look - seen;
}

double seconds_a_pair(const Standing& standing, const WorkloadStanding& workload) {
  double seconds = recent_pair_seconds(workload.samples);
  for (const WorkloadStanding& control : standing.controls) {
    seconds += stands_beside(control, workload) ? recent_pair_seconds(control.samples) : 0;
  }
  return seconds;
}

int pairs_to_next_look(const WorkloadStanding& workload) {
  const std::vector<int>& looks = workload.looks.pairs;
  const int measured = static_cast<int>(workload.samples.pairs.size());
  int wanted = looks.back() - measured;
  for (const MetricStanding& one : workload.series) {
    const int seen = static_cast<int>(one.differences.size());
    const auto look = std::ranges::upper_bound(looks, seen);
    if (one.open() && look != looks.end()) {
      wanted = std::min(wanted, *look - seen);
    }
  }
  return std::max(wanted, 0);
}

std::optional<FirstVerdicts> first_verdicts(const Standing& standing) {
  FirstVerdicts all;
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.looks.pairs.empty() || !workload.open()) {
      continue;
    }
    const EarlyLooks& early = workload.looks.early;
    int fewest = 0;
    for (const MetricStanding& one : workload.series) {
      fewest = one.open() ? std::max(fewest, one.rule.first_verdict()) : fewest;
    }
    const int most = early.first > 0 ? std::min(early.end, workload.looks.pairs.back()) : fewest;
    const int measured = static_cast<int>(workload.samples.pairs.size());
    const double seconds = seconds_a_pair(standing, workload);
    all.shortest += seconds * std::max(fewest - measured, 0);
    all.longest += seconds * std::max(most - measured, 0);
    if (early.first > 0) {
      all.fewest = all.most == 0 ? fewest : std::min(all.fewest, fewest);
      all.most = std::max(all.most, most);
    }
  }
  return all.most > 0 ? std::optional(all) : std::nullopt;
}

void serve_the_nearest(const Standing& standing, double budget_left,
                       std::vector<WorkloadDemand>& demands) {
  if (!standing.frozen || standing.judged == 0) {
    return;
  }
  std::vector<Candidate> candidates;
  double together = 0;
  for (const WorkloadStanding& workload : standing.workloads) {
    const bool asked = std::ranges::any_of(demands, [&workload](const WorkloadDemand& one) {
      return one.workload == workload.index && one.paired;
    });
    if (asked) {
      candidates.push_back(candidate_of(standing, workload));
      together += candidates.back().to_next_look;
    }
  }
  if (together <= budget_left) {
    return;
  }
  std::set<std::size_t> out = left_out(std::move(candidates), budget_left);
  for (const WorkloadStanding& control : standing.controls) {
    for (const WorkloadStanding& workload : standing.workloads) {
      if (out.contains(workload.index) && stands_beside(control, workload)) {
        out.insert(control.index);
      }
    }
  }
  std::erase_if(demands, [&out](const WorkloadDemand& one) { return out.contains(one.workload); });
}

}  // namespace perf
