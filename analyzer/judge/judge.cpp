#include "analyzer/judge/judge.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "analyzer/rule/decision.h"
#include "analyzer/rule/look_schedule.h"
#include "analyzer/statistics/centre_and_spread.h"
#include "analyzer/statistics/pair_order.h"
#include "schema/side_stats.h"
#include "schema/text/lists.h"

namespace perf {
namespace {

std::optional<SideStats> stats_of(const std::vector<std::vector<double>>& invocations, int count) {
  std::vector<double> steps;
  const auto taken = std::span(invocations).first(static_cast<std::size_t>(count));
  for (const std::vector<double>& invocation : taken) {
    steps.insert(steps.end(), invocation.begin(), invocation.end());
  }
  return side_stats(std::move(steps), taken.size(), true);
}

/// Who looked while measuring is taken to have looked after each pair.
Looks looks_of(const Policy& policy, int judged, int pairs) {
  if (policy.looks > 1) {
    return looks_of_dear(policy, judged, false, pairs);
  }
  const Looks looks = ordinary_looks(policy, judged, pairs);
  return looks.pairs.empty() ? look_at_few(policy, judged, pairs) : looks;
}

Comparison judge_one(const JudgeCase& wanted, const Policy& policy, int judged) {
  Comparison row;
  row.workload = wanted.name;
  row.metric = kStepTime;
  row.threshold = wanted.threshold && !policy.threshold_override
                      ? *wanted.threshold
                      : threshold_for(policy, wanted.name, kStepTime.name);

  std::vector<double> differences;
  const std::size_t count = std::min(wanted.base.size(), wanted.head.size());
  for (std::size_t pair = 0; pair < count; ++pair) {
    const auto difference = log_ratio(median(wanted.base[pair]), median(wanted.head[pair]));
    if (!difference) {
      row.verdict = Verdict::incomparable;
      row.warnings.push_back({WarningKind::no_ratio, {{"pair", pair + 1}}});
      return row;
    }
    differences.push_back(*difference);
  }

  int last = static_cast<int>(count);
  if (policy.max_pairs > 0) {
    last = std::min(last, policy.max_pairs);
    differences.resize(static_cast<std::size_t>(last));
  }
  Rule rule;
  rule.bounds = bounds_for(row.threshold, policy);
  rule.most_looks = policy.looks;
  rule.tails_apart = policy.looks == 1;
  rule.complete = true;
  rule.take(looks_of(policy, judged, last));
  Decision decision = decide(differences, rule, true);
  if (rule.looks.empty()) {
    int needed = last + 1;
    while (looks_of(policy, judged, needed).pairs.empty()) {
      ++needed;
    }
    decision.pairs_needed = needed;
    row.warnings.push_back({WarningKind::too_few_given, {{"pairs", count}, {"needed", needed}}});
  }
  if (rule.tails_apart && decision.decided() && may_be_correlated(differences)) {
    row.warnings.push_back({WarningKind::pairs_may_be_correlated,
                            {{"pairs", decision.pairs}, {"enough", kPairsThatTellOrder}}});
  }
  record(decision, rule, row);
  row.base = stats_of(wanted.base, row.pairs);
  row.head = stats_of(wanted.head, row.pairs);
  return row;
}

}  // namespace

std::vector<Comparison> judge(const std::vector<JudgeCase>& cases, const Policy& policy,
                              bool together) {
  const int judged = together ? static_cast<int>(cases.size()) : 1;
  require_any_look(policy, judged);
  return mapped(cases, [&](const JudgeCase& wanted) { return judge_one(wanted, policy, judged); });
}

}  // namespace perf
