#pragma once

#include <string>
#include <vector>

namespace perf {

/// A threshold for some workloads, some metrics, or both. Empty matches everything.
struct ThresholdRule {
  std::string workload_glob;  ///< `*` matches `/` too
  std::string metric;
  double threshold = 0;  ///< relative: 0.10
  /// Workloads that match the glob but are left out, with their children.
  std::vector<std::string> except{};
};

/// The settings of a comparison. "Constants of the rule" in docs/verdicts.md gives the reasons of
/// alpha, the looks and T. schema/json/config.schema.json repeats three defaults (json_schema_test).
struct Policy {
  double threshold = 0.10;  ///< relative change that matters
  double alpha = 0.01;      ///< error rate of a whole report
  double alpha_share = 1;   ///< of alpha, and of warning_alpha, for a shard: its part of workloads
  int looks = 6;            ///< K: how many looks a comparison may have
  double look_growth = 1.45;  ///< n_{k+1} = ceil(growth * n_k)
  double significance_share =
      0.5;              ///< the guarantee on `regressed` ends at this share of the threshold
  double budget = 600;  ///< s of measuring (builds are not counted)
  int min_pairs = 0;    ///< --pairs MIN: the first look is not before it; 0 = not set
  int max_pairs = 0;    ///< --pairs MAX: the looks end there; 0 = not set
  int pilot_pairs = 4;  ///< pairs from which the steps per invocation are chosen
  int warmup_steps = 2;
  int initial_steps = 8;  ///< timed steps per invocation in the pilot
  int min_steps = 4;
  int max_steps = 30;
  double invocation_cap =
      0.6;                  ///< s: steps are not raised beyond what keeps an invocation under it
  int new_invocations = 3;  ///< invocations of a workload that only head has
  double noisy_cov = 0.10;  ///< coefficient of variation that earns a warning
  double warning_alpha = 0.01;  ///< share of reports on clean data with a warning about the session
  double warning_share =
      0.5;  ///< of the threshold: smaller drift, halves and groups are not reported
  double steal_share = 0.01;  ///< of the time: stolen by the hypervisor; a tenth of the threshold
  double pressure_share = 0.20;  ///< of the time: some task waited for a processor, perhaps our own
  /// Later rules win among equally specific ones; workload and metric beats workload beats metric.
  std::vector<ThresholdRule> thresholds;
  bool threshold_override = false;   ///< --threshold was given: `threshold` beats every rule
  bool control = false;              ///< --control: an A/A arm beside each comparison
  bool count = false;                ///< --count: count instructions beside timing
  int counted_invocations = 2;       ///< a side; a count that repeats exactly is compared exactly
  std::vector<std::string> metrics;  ///< --metric: judge and show only these; empty = all
};

/// The smallest step that a bisection searches for where --threshold does not say otherwise;
/// relative.
inline constexpr double kSmallestStep = 0.01;

/// The threshold that applies to a metric of a workload.
double threshold_for(const Policy& policy, const std::string& workload, const std::string& metric);

/// Whether a rule gives this metric of this workload a threshold of its own, by the metric's name,
/// and so makes it judged.
bool names_metric(const Policy& policy, const std::string& workload, const std::string& metric);

}  // namespace perf
