#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "schema/text/words.h"

namespace perf {

/// Every kind of warning, by the word that programs and the store know it by: those of a row, of
/// settings and sides that are unlike, of a report, of a plan, of an imported file, of a trend, and
/// of a calibration; then the notes of a row, which cast no doubt on it. A new one takes an entry
/// here, a sentence in reporter/text/sentences.cpp and a row in docs/warnings.md.
// clang-format off
#define PERF_WARNINGS(X) \
  X(noisy) X(too_few_pairs) X(too_few_given) X(session_drift) X(halves_disagree) \
  X(pairs_may_be_correlated) X(order_matters) X(mean_disagrees) X(runs_failed) \
  X(work_left_running) X(largest_process) X(same_session) X(same_on_both_sides) X(equal_sessions) \
  X(bimodal_pairs) X(steal) X(machine_pressure) X(control_alarm) \
  X(clocks_differ) X(device_in_use) X(device_shared) X(device_not_watched) \
  X(control_shift) X(audit_alarm) X(foreign_code) \
  X(count_varies) X(counted_once) X(not_counted) X(incomplete_pairs) X(not_in_first_pair) \
  X(retried) X(given_up) X(failed) X(not_compared) X(not_measured) X(no_such_metric) X(too_few_steps) \
  X(ended_early) X(not_stored) X(only_at_base) X(not_same_work) X(unlike_units) X(no_ratio) \
  X(unlike_machines) X(other_machines) X(unlike_params) X(unlike_environments) \
  X(unlike_settings) X(setting_not_taken) X(environment_changed) X(shard_missing) \
  X(target_across_shards) X(target_without_metric) X(target_without_fact) X(not_explained) X(unfinished) X(pruned) \
  X(not_reproduced) X(foreign_command) X(stored) X(nothing_paired) X(no_samples) \
  X(uncommitted_files) X(broken_config) X(policy_of_base) X(run_otherwise) X(unknown_parameter) \
  X(lfs_pointers) X(files_not_in_git) X(files_beside_config) X(base_not_built) \
  X(neither_built) X(no_supervisor) X(planted) X(other_benchmark) X(several_benchmarks) X(benchmark_skipped) \
  X(benchmarks_skipped) X(repetitions_left_out) X(no_rounds) X(uncommitted_changes) \
  X(lines_passed_over) X(files_passed_over) X(several_commits) X(log_prefix) X(other_text) X(broken_off) X(values_left_out) \
  X(ambiguous_name) X(no_benchmark) X(edited_benchmark) \
  X(facts_passed_over) X(metric_name_length) X(metric_unit_length) \
  X(metric_measured_here) X(negative_metric) X(renamed) X(no_value) X(commits_elsewhere) \
  X(baseline_off_line) X(baseline_unmeasured) X(shallow_clone) \
  X(head_unmeasured) X(hosts_differ) X(machine_slope) X(nothing_to_confirm) X(not_in_config) \
  X(not_confirmed) X(confirmations_left) X(confirmations_interrupted) X(not_calibrated) \
  X(false_alarm) X(autocorrelated) X(noise_hardly_known) X(false_alarm_rate) \
  X(device_throttled) X(decided_early) X(noise_unlike_history) X(warmup_pair) X(below_threshold) X(probably_below_threshold) X(correlated_pairs) X(coarse_memory) \
  X(steps_pruned) X(unstable_check) X(check_unreported) X(sides_differ) X(setting_replaced) \
  X(program_output) X(short_process) \
  X(counted_under_callgrind) X(counted_otherwise) X(instructions_changed) \
  X(only_instructions_changed) X(only_time_changed) X(judged_from_sessions) \
  X(judged_by_others) X(repetitions_needed) X(correlated_sessions) X(samples_missing) X(machine_unnamed) \
  X(machine_unknown) X(base_not_collected) X(too_few_sessions) X(sessions_needed) \
  X(not_profiled) X(functions_unchanged) X(layout_excluded) X(layout_undecided) \
  X(layout_not_tested)
// clang-format on

#define PERF_WARNING_KIND(kind) kind,
enum class WarningKind { PERF_WARNINGS(PERF_WARNING_KIND) };
#undef PERF_WARNING_KIND

#define PERF_WARNING_KIND(kind) WarningKind::kind,
inline constexpr std::array kWarningKinds{PERF_WARNINGS(PERF_WARNING_KIND)};
#undef PERF_WARNING_KIND

#define PERF_WARNING_WORD(kind) #kind,
template <>
inline constexpr std::array<std::string_view, kWarningKinds.size()> kWords<WarningKind>{
    PERF_WARNINGS(PERF_WARNING_WORD)};
#undef PERF_WARNING_WORD

/// Something a reader should know before trusting a number, or a note on how it came about: facts
/// alone; reporter::sentence makes the text.
struct Warning {
  WarningKind kind{};
  std::map<std::string, double> figures{};     ///< what was found and what it was held against
  std::map<std::string, std::string> about{};  ///< names, and texts of others

  bool operator==(const Warning&) const = default;
};

}  // namespace perf
