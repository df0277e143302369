#include "analyzer/rows/counted.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "schema/side_stats.h"
#include "schema/wording.h"

namespace perf {
namespace {

/// The invocations of a workload that were counted, sorted out.
struct Counts {
  std::vector<const Invocation*> base, head;  ///< that ended well
  int pairs = 0;                              ///< with both sides counted in one attempt
  int lost = 0;                               ///< pairs without
  std::string failure;                        ///< the last one
};

Counts counts_of(const std::string& workload, const History& history) {
  Counts counts;
  std::map<std::pair<int, int>, int> good;  // by pair and attempt: sides
  std::map<int, bool> is_complete;          // by pair
  for (const Invocation& invocation : history.invocations) {
    if (!invocation.counted || invocation.workload != workload) {
      continue;
    }
    bool& complete = is_complete[invocation.pair];
    if (!invocation.ok()) {
      counts.failure = invocation.failure;
    } else if (invocation.process.instructions) {
      (invocation.side == Side::base ? counts.base : counts.head).push_back(&invocation);
      complete = ++good[{invocation.pair, invocation.attempt}] == 2 || complete;
    }
  }
  for (const auto& [pair, complete] : is_complete) {
    (complete ? counts.pairs : counts.lost) += 1;
  }
  return counts;
}

std::vector<double> values_of(const std::vector<const Invocation*>& invocations) {
  std::vector<double> values;
  values.reserve(invocations.size());
  for (const Invocation* invocation : invocations) {
    values.push_back(static_cast<double>(*invocation->process.instructions));
  }
  return values;
}

double spread(const SideStats& stats) {
  return stats.max / stats.min - 1;
}

bool is_exact(const Counts& counts, const Policy& policy) {
  const auto repeats = [&policy](const std::vector<const Invocation*>& side) {
    return static_cast<int>(side.size()) >= std::max(policy.counted_invocations, 2) &&
           std::all_of(side.begin(), side.end(), [&side](const Invocation* one) {
             return one->process.instructions == side.front()->process.instructions;
           });
  };
  return repeats(counts.base) && repeats(counts.head);
}

/// What workloads say of themselves: the kernels and the threads that were counted may not be those
/// that were timed.
std::string counted_otherwise(const std::vector<const Invocation*>& counted,
                              const std::vector<const Invocation*>& timed) {
  std::string text;
  if (counted.empty() || timed.empty() || counted.front()->blocks.empty() ||
      timed.front()->blocks.empty()) {
    return text;
  }
  const auto& facts = timed.front()->blocks.front().facts;
  for (const auto& [name, value] : counted.front()->blocks.front().facts) {
    const auto at_timed = facts.find(name);
    if (at_timed != facts.end() && at_timed->second != value) {
      text.append(text.empty() ? "counted with " : "; ").append(name).append(" ").append(value);
      text.append(", timed with ").append(at_timed->second);
    }
  }
  return text;
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
    row.notes.push_back(fine_percent(*row.change) + (head > base ? " more instructions, exactly"
                                                                 : " fewer instructions, exactly"));
  }
}

// Not judged, unless --metric asks for it: then it is left open.
void leave_open(const Counts& counts, const Policy& policy, Comparison& row) {
  row.judged = !policy.metrics.empty();
  if (row.judged) {
    row.verdict = Verdict::inconclusive;
  }
  if (counts.base.size() < 2 || counts.head.size() < 2) {
    row.warnings.push_back({WarningKind::counted_once});
    return;
  }
  row.warnings.push_back(
      {WarningKind::count_varies,
       {{"base_spread", spread(*row.base)}, {"head_spread", spread(*row.head)}}});
}

Comparison* row_of(const Metric& metric, std::vector<Comparison>& rows) {
  const auto found = std::find_if(
      rows.begin(), rows.end(), [&metric](const Comparison& row) { return row.metric == metric; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::vector<WorkloadDemand> wanted_counts(const Standing& standing) {
  const Policy& policy = *standing.policy;
  const History& history = *standing.history;
  std::vector<WorkloadDemand> demands;
  if (!policy.count || history.interrupted) {
    return demands;
  }
  for (const WorkloadStanding& workload : standing.workloads) {
    if (workload.samples.fate != Fate::paired) {
      continue;
    }
    const Counts counts = counts_of(workload.samples.planned->workload.name, history);
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

void add_counted_row(const WorkloadStanding& workload, const History& history, const Policy& policy,
                     std::vector<Comparison>& rows) {
  const PlannedWorkload& planned = *workload.samples.planned;
  if (!policy.count || !is_shown(policy, kInstructions.name)) {
    return;
  }
  const Counts counts = counts_of(planned.workload.name, history);
  if (counts.base.empty() || counts.head.empty()) {
    if (!counts.failure.empty() && !rows.empty()) {
      Comparison* time = row_of(kStepTime, rows);
      (time ? *time : rows.front())
          .warnings.push_back({WarningKind::not_counted, {}, {{"why", counts.failure}}});
    }
    return;
  }
  const std::string& name = planned.workload.name;
  std::erase_if(rows, [&name](const Comparison& other) {  // what it reports of itself, or nothing
    return other.workload == name && other.metric.name == kInstructions.name;
  });
  Comparison row;
  row.workload = name;
  row.params = planned.workload.params;
  row.base_params = planned.base_params;
  row.metric = kInstructions;
  row.threshold = threshold_for(policy, row.workload, kInstructions.name);
  row.base = side_stats(values_of(counts.base), counts.base.size(), false);
  row.head = side_stats(values_of(counts.head), counts.head.size(), false);
  row.pairs = counts.pairs;
  row.change = (row.head->median - row.base->median) / row.base->median;
  if (is_exact(counts, policy)) {
    judge_exactly(row);
  } else {
    leave_open(counts, policy, row);
  }
  row.notes.push_back("counted under callgrind: whole processes of " +
                      std::to_string(kCountedSteps) + " steps, one OpenMP thread, no AVX-512");
  if (const std::string otherwise = counted_otherwise(counts.head, workload.samples.head);
      !otherwise.empty()) {
    row.notes.push_back(otherwise);
  }
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
    std::string note = fine_percent(*count->change);
    note.append(*count->change > 0 ? " more" : " fewer")
        .append(" instructions, but the time has not moved");
    if (time->smallest_visible) {
      note.append(" by what these pairs could see, ").append(percent(*time->smallest_visible));
    }
    time->notes.push_back(note);
  } else if (count_stood && time_moved) {
    time->notes.push_back(
        "the time moved, the number of instructions did not: memory, layout or the processor's "
        "clock");
  }
}

}  // namespace perf
