#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analyzer/rows/comparison_rows.h"
#include "analyzer/samples/samples.h"
#include "schema/side_stats.h"

namespace perf {
namespace {

/// How the counting of a workload went.
struct Counts {
  int pairs = 0;        ///< with both sides counted in one attempt
  int lost = 0;         ///< pairs without
  std::string failure;  ///< the last one
};

Counts counts_of(const std::string& workload, const Measurements& measurements) {
  Counts counts;
  std::map<std::pair<int, int>, int> good;  // by pair and attempt: sides
  std::map<int, bool> is_complete;          // by pair
  for (const Invocation& invocation : measurements.invocations) {
    if (!invocation.counted || invocation.workload != workload) {
      continue;
    }
    bool& complete = is_complete[invocation.pair];
    if (!invocation.ok()) {
      counts.failure = invocation.failure;
    } else if (invocation.process.instructions) {
      complete = ++good[{invocation.pair, invocation.attempt}] == 2 || complete;
    }
  }
  for (const auto& [pair, complete] : is_complete) {
    (complete ? counts.pairs : counts.lost) += 1;
  }
  return counts;
}

double spread(const SideStats& stats) {
  return stats.max / stats.min - 1;
}

bool is_exact(const WorkloadSamples& samples, const Policy& policy) {
  const auto repeats = [&policy](const std::vector<const Invocation*>& side) {
    return static_cast<int>(side.size()) >= std::max(policy.counted_invocations, 2) &&
           std::ranges::all_of(side, [&side](const Invocation* one) {
             return one->process.instructions == side.front()->process.instructions;
           });
  };
  return repeats(samples.counted_base) && repeats(samples.counted_head);
}

/// The kernels and the threads that were counted may not be those that were timed.
void note_other_facts(const std::vector<const Invocation*>& counted,
                      const std::vector<const Invocation*>& timed, Comparison& row) {
  if (counted.empty() || timed.empty() || counted.front()->blocks.empty() ||
      timed.front()->blocks.empty()) {
    return;
  }
  for (const Unlike& fact :
       unlike(counted.front()->blocks.front().facts, timed.front()->blocks.front().facts)) {
    row.notes.push_back({WarningKind::counted_otherwise,
                         {},
                         {{"name", fact.name}, {"counted", fact.base}, {"timed", fact.head}}});
  }
}

/// `more` or `fewer`: how far, without a sign.
std::map<std::string, double> by_direction(double change) {
  return {{change > 0 ? "more" : "fewer", std::abs(change)}};
}

// As for measured changes, an improvement is the mirror image: base is the larger by the threshold.
void judge_exactly(Comparison& row) {
  const double base = row.base->median, head = row.head->median;
  row.exact = true;
  row.judged = true;
  row.interval = Interval{*row.change, *row.change};
  row.verdict = (head - base) / base >= row.threshold   ? Verdict::regressed
                : (base - head) / head >= row.threshold ? Verdict::improved
                                                        : Verdict::unchanged;
  row.certain = row.verdict != Verdict::unchanged;
  if (head != base) {
    row.notes.push_back({WarningKind::instructions_changed, by_direction(*row.change)});
  }
}

// Not judged, unless --metric names it: then it is inconclusive.
void leave_open(const WorkloadSamples& samples, const Policy& policy, Comparison& row) {
  row.judged = !policy.metrics.empty();
  if (row.judged) {
    row.verdict = Verdict::inconclusive;
  }
  if (samples.counted_base.size() < 2 || samples.counted_head.size() < 2) {
    row.warnings.push_back({WarningKind::counted_once});
    return;
  }
  row.warnings.push_back(
      {WarningKind::count_varies,
       {{"base_spread", spread(*row.base)}, {"head_spread", spread(*row.head)}}});
}

Comparison* row_of(const Metric& metric, std::vector<Comparison>& rows) {
  const auto found = std::ranges::find(rows, metric, &Comparison::metric);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::vector<WorkloadDemand> wanted_counts(const Standing& standing) {
  const Policy& policy = *standing.policy;
  const Measurements& measurements = *standing.measurements;
  std::vector<WorkloadDemand> demands;
  if (!policy.count || measurements.interrupted) {
    return demands;
  }
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate != Fate::paired) {
      continue;
    }
    const Counts counts = counts_of(workload.samples.planned->workload.name, measurements);
    WorkloadDemand wanted;
    wanted.workload = workload.index;
    wanted.count = counts.lost > 0 ? 0 : policy.counted_invocations - counts.pairs;
    wanted.steps = kCountedSteps;
    wanted.counted = true;
    if (wanted.count > 0) {
      demands.push_back(wanted);
    }
  }
  return demands;
}

void add_counted_row(const WorkloadStanding& workload, const Measurements& measurements,
                     const Policy& policy, std::vector<Comparison>& rows) {
  const PlannedWorkload& planned = *workload.samples.planned;
  const std::string& name = planned.workload.name;
  if (!policy.count || !is_shown(policy, kInstructions.name)) {
    return;
  }
  const auto &base = workload.samples.counted_base, &head = workload.samples.counted_head;
  const Counts counts = counts_of(name, measurements);
  if (base.empty() || head.empty()) {
    if (!counts.failure.empty() && !rows.empty()) {
      Comparison* time = row_of(kStepTime, rows);
      (time ? *time : rows.front())
          .warnings.push_back({WarningKind::not_counted, {}, {{"why", counts.failure}}});
    }
    return;
  }
  std::erase_if(rows, [&name](const Comparison& other) {  // what it reports of itself, or nothing
    return other.workload == name && other.metric.name == kInstructions.name;
  });
  Comparison row;
  row.workload = name;
  row.params = planned.workload.params;
  row.base_params = planned.base_params;
  row.metric = kInstructions;
  row.threshold = threshold_for(policy, row.workload, kInstructions.name);
  row.base = side_stats(instructions_of(base), base.size(), false);
  row.head = side_stats(instructions_of(head), head.size(), false);
  row.pairs = counts.pairs;
  row.change = (row.head->median - row.base->median) / row.base->median;
  if (is_exact(workload.samples, policy)) {
    judge_exactly(row);
  } else {
    leave_open(workload.samples, policy, row);
  }
  row.basis = row.judged ? kByCount : "";
  row.notes.push_back({WarningKind::counted_under_callgrind, {{"steps", kCountedSteps}}});
  note_other_facts(head, workload.samples.head, row);
  rows.push_back(std::move(row));
}

void relate_counts_to_time(std::vector<Comparison>& rows) {
  const Comparison* count = row_of(kInstructions, rows);
  Comparison* time = row_of(kStepTime, rows);
  if (!count || !time || count->workload != time->workload || !count->interval || !time->interval) {
    return;
  }
  const Interval& by_count = *count->interval;
  const Interval& by_time = *time->interval;
  const bool count_moved = by_count.low > kCountMoved || by_count.high < -kCountMoved;
  const bool count_stood = by_count.low > -kCountMoved && by_count.high < kCountMoved;
  const bool time_stood = by_time.low <= 0 && by_time.high >= 0;
  const bool time_moved = is_change(time->verdict);
  if (count_moved && time_stood) {
    Warning note{WarningKind::only_instructions_changed, by_direction(*count->change)};
    if (time->smallest_visible) {
      note.figures["visible"] = *time->smallest_visible;
    }
    time->notes.push_back(note);
  } else if (count_stood && time_moved) {
    time->notes.push_back({WarningKind::only_time_changed});
  }
}

}  // namespace perf
