#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/profile.h"
#include "schema/revision.h"
#include "schema/verdict.h"
#include "schema/warning.h"

namespace perf {

/// Statistics of one side of a comparison, in the metric's base unit. For step metrics over all
/// timed steps, for the others over invocations.
struct SideStats {
  double median = 0, p90 = 0, mean = 0, stddev = 0, min = 0, max = 0;
  double cov = 0;  ///< stddev / mean
  int invocations = 0;
  int steps = 0;
};

struct Interval {
  double low = 0, high = 0;

  bool operator==(const Interval&) const = default;
};

/// How one phase of a step changed: relative, positive = longer.
struct PhaseChange {
  std::string name;
  std::optional<double> change;        ///< null where the base phase takes no time
  double base = 0, head = 0;           ///< s, medians
  std::optional<Interval> interval{};  ///< of `change`, at the report's alpha shared by the phases
  bool moved = false;                  ///< significantly: only such a phase may explain a change
  std::optional<double> share{};  ///< of the step's change in seconds; null where that is chance
};

/// The effect of relinking both sides, for a change whose hot code is the same at base and head.
struct LayoutEffect {
  std::string label;             ///< "layout effect" or "layout effect suspected"
  std::optional<double> change;  ///< over pairs of relinked builds
  std::optional<Interval> interval;
  int builds = 0;  ///< relinked builds a side
};

/// What the first timed or warm-up step costs against the steady state: relative, positive = the
/// first is longer.
struct WarmupBenefit {
  double first = 0, steady = 0;  ///< s, medians over head's invocations
  std::optional<double> change;  ///< first/steady - 1
};

/// A check as both sides passed it. Absent where a side did not run it.
struct CheckResult {
  std::string name;
  std::optional<bool> base, head;  ///< passed in every invocation of that side
  std::optional<double> error;     ///< head's worst
  std::optional<double> tolerance;
  int base_failed = 0, base_runs = 0;  ///< invocations that failed it, of those that ran it;
  int head_failed = 0, head_runs = 0;  ///< no runs on either side: not counted
  std::optional<bool> new_failure{};   ///< by the counts; null where nothing was counted
  int unreported = 0;  ///< of head_failed: runs without it, although base reports it; not in JSON
};

/// The name of the check that the runs of a workload end well, beside those that it reports.
inline constexpr const char* kRunsEndWell = "runs end well";

/// Whether a check newly fails at head: by its counts where the analyzer made some, else by the
/// sides that passed.
inline bool newly_fails(const CheckResult& check) {
  return check.new_failure.value_or(check.head == false && check.base != false);
}

/// The basis of a verdict: both sides run the same program, so that nothing was compared; pairs of
/// timings; sessions that are no pairs; counts that repeat exactly.
inline constexpr const char* kSameProgram = "same program";
inline constexpr const char* kByPairs = "pairs";
inline constexpr const char* kBySessions = "sessions";
inline constexpr const char* kByCount = "count";

/// Base against head for one workload and metric. All changes are relative, head/base - 1,
/// positive = the value grew.
struct Comparison {
  std::string workload;
  Params params;
  Metric metric;
  std::optional<SideStats> base, head;
  bool judged = true;
  std::optional<double> change;
  std::optional<Interval> interval;
  double threshold = 0;
  std::optional<double> smallest_visible;  ///< half the interval's width at the deciding look
  int pairs = 0;                           ///< pairs behind the verdict
  int look = 0;                            ///< 1-based look that decided; 0 = none was reached
  std::optional<double> look_alpha;        ///< a' = alpha/(m K) of that look
  std::optional<double> pairs_needed;      ///< inconclusive only; null where no number would do
  std::optional<Verdict> verdict;          ///< null where not judged
  bool certain = false;  ///< regressed/improved with the whole interval beyond the threshold
  std::optional<double> p_value;  ///< two-sided signed-rank p at the deciding look
  std::vector<PhaseChange> phases;
  std::vector<CheckResult> checks;
  std::vector<Warning> notes;  ///< how its figures came about: no doubt is cast
  std::vector<Warning> warnings;
  std::vector<double>
      pair_changes{};  ///< head/base - 1 of each pair, in the order measured; may be empty
  std::optional<Params> base_params{};  ///< where two settings are compared; `params` is head's
  bool exact = false;  ///< of a count that repeats exactly: the change has no error
  std::optional<LayoutEffect> layout{};
  std::optional<WarmupBenefit> warmup{};
  std::vector<FunctionChange> functions{};  ///< whose share of the time moved; --profile-changes
  std::string basis{};  ///< what it was decided by: one of the above; empty: nothing was measured
  /// TraceRecord::why_measured of its workload; empty where nothing was traced.
  std::string measured_because{};

  bool is_same_program() const { return basis == kSameProgram; }
};

/// A bound on an absolute value or a ratio, from the config.
struct Target {
  std::string name;
  std::string metric = "step_time";
  std::string of;    ///< workload
  std::string over;  ///< ratio of/over where not empty
  std::optional<double> at_least, at_most;
  std::string size;  ///< the size it speaks of; empty = any
  /// Parameters that `of` and `over` were run with, on either side of a comparison of settings;
  /// none: the workload as configured, at head.
  Params of_set{}, over_set{};
  /// Facts (isa, blas_core, ...) that its workloads must report for it to apply.
  std::map<std::string, std::string> when{};

  bool operator==(const Target&) const = default;
};

struct TargetResult {
  Target target;
  std::optional<double> value;  ///< at head; null where not measured
  std::optional<bool> met;      ///< null where not measured
  /// UTC, ISO 8601: when base was measured, where the value is from then, because head runs the
  /// same program; empty: measured now.
  std::string measured_at{};
  /// The reported facts that differ from `when`: then it does not apply, and there is no value.
  std::map<std::string, std::string> found{};
};

/// Counts of the judged comparisons by verdict.
struct Summary {
  Verdict verdict = Verdict::unchanged;  ///< the worst
  std::map<Verdict, int> counts;         ///< every verdict has an entry
};

/// What is known from a report that judged something but decided nothing.
struct Undecided {
  /// No comparison that has an interval changed by more: of a fall, by its ratio (1/(1 + t) - 1).
  /// Null where none has.
  std::optional<double> ruled_out;
  std::optional<double> budget;  ///< s that may decide more; null where none would
  int decides = 0;               ///< comparisons that such a budget would bring to a verdict
};

/// All judged rows of one metric in one family (the part of the name before the first `/`), as one
/// number: exp(mean ln(1 + change)). Shown, not judged.
struct FamilyMean {
  std::string family;
  std::string metric;
  double change = 0;
  std::optional<Interval> interval;  ///< of the mean, from the rows' own intervals
  int workloads = 0;
};

/// One control arm: base against base, measured beside a comparison; a change here is a false
/// alarm. Or an audit: base against head of a workload whose traces show the same program.
struct ControlResult {
  std::string workload;
  Metric metric;
  std::optional<double> change;
  std::optional<Interval> interval;
  int pairs = 0;
  bool alarmed = false;  ///< it would have been called regressed or improved
};

/// Speed, size and quality of one workload at head, where it reports them, for one table.
struct TradeOff {
  std::string workload;
  Params params;
  double seconds = 0;                              ///< median step time
  std::vector<std::pair<Metric, double>> bytes;    ///< metrics in B
  std::vector<std::pair<Metric, double>> quality;  ///< ratios and errors, by the workload's names
};

/// The result of the analyzer: finished data, nothing left to compute.
struct Report {
  std::string id;  ///< of its run; joined: the plan's digest
  /// It covers this part of its plan alone, and judges nothing: only the joined report does.
  std::optional<Shard> shard{};
  std::string generated_at;  ///< UTC, ISO 8601
  std::string tool_version;
  std::optional<Revision> base;
  Revision head;
  /// One, or of a joined report one a shard. None: unknown.
  std::vector<MeasuredOn> environments{};
  std::map<std::string, std::map<std::string, std::string>>
      workload_facts;          ///< the facts that workloads reported at head
  std::string config_source;   ///< where the workload list came from
  std::string build_source{};  ///< whose build ran: a config, or one a side; empty: none
  std::string size;
  std::uint64_t seed = 0;
  Policy policy;
  int judged = 0;       ///< m, frozen after the first pair
  double measured = 0;  ///< s spent on measuring
  bool interrupted = false;
  bool budget_spent = false;  ///< the budget ended before every comparison was decided
  bool nothing_ran = false;   ///< nothing could be decided because nothing ran: exit 3
  Summary summary;
  std::vector<Comparison> comparisons;  ///< sorted by workload, then metric
  std::vector<TargetResult> targets;
  std::vector<FamilyMean> families{};
  std::vector<ControlResult> controls{};
  std::vector<TradeOff> trade_offs{};
  std::vector<Warning> warnings;
  std::vector<std::string> reproduce;  ///< command lines
  std::optional<Undecided> undecided{};
  std::vector<ControlResult> audits{};
  std::vector<int> missing_shards{};  ///< numbers of shards that are absent or unfinished
};

/// What a report has of its run's plan.
inline Report begin_report(const Plan& plan) {
  Report report;
  report.id = plan.run_id;
  report.shard = plan.shard;
  report.base = plan.base;
  report.head = plan.head;
  report.environments = {measured_on(plan)};
  report.size = plan.size;
  report.seed = plan.seed;
  return report;
}

/// How many of the judged comparisons have each verdict; every verdict has an entry.
inline std::map<Verdict, int> verdict_counts(const std::vector<Comparison>& comparisons) {
  std::map<Verdict, int> counts;
  for (const Verdict verdict : kVerdicts) {
    counts[verdict] = 0;
  }
  for (const Comparison& comparison : comparisons) {
    if (comparison.judged && comparison.verdict) {
      ++counts[*comparison.verdict];
    }
  }
  return counts;
}

/// Whether no row compares base with head: each is not judged, failed, incomparable or of one side.
/// New rows alone are no such report: there was nothing to compare with yet. Neither is a shard.
inline bool compares_nothing(const Report& report) {
  if (report.shard) {
    return false;
  }
  bool any_new = false, any_else = false;
  for (const Comparison& row : report.comparisons) {
    const Verdict verdict = row.verdict.value_or(Verdict::missing);
    if (row.judged &&
        (is_change(verdict) || verdict == Verdict::unchanged || verdict == Verdict::inconclusive)) {
      return false;
    }
    any_new = any_new || (row.judged && verdict == Verdict::fresh);
    any_else = any_else || (row.judged && verdict != Verdict::fresh);
  }
  return any_else || !any_new;
}

}  // namespace perf
