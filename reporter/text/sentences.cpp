#include "reporter/text/sentences.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>

#include "reporter/text/quantity.h"
#include "schema/text/lists.h"
#include "schema/text/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

/// "1,830"; a stored warning may hold any number.
std::string megahertz(double hertz) {
  constexpr double kMega = 1e6, kMost = 1e18;
  return hertz >= 0 && hertz < kMost
             ? grouped_digits(static_cast<std::uint64_t>(std::llround(hertz / kMega)))
             : "?";
}

std::string figure_text(double value, std::string_view form) {
  if (form.starts_with(':')) {
    const std::size_t slash = form.find('/');
    return std::string(value == 1 ? form.substr(1, slash - 1) : form.substr(slash + 1));
  }
  return form == "%"      ? percent(value)
         : form == "+%"   ? perf::signed_percent(value)
         : form == ".%"   ? fine_percent(value)
         : form == ".1"   ? fixed(value, 1)
         : form == ",MHz" ? megahertz(value)
                          : fixed(value, 0);
}

/// What stands for `{item}`; nothing where the warning does not have it.
std::optional<std::string> item_text(const Warning& warning, std::string_view item) {
  const std::size_t end = std::min(item.find_first_of("%+.:,"), item.size());
  const std::string name(item.substr(0, end));
  if (const auto about = warning.about.find(name); about != warning.about.end()) {
    return about->second;
  }
  const auto figure = warning.figures.find(name);
  return figure == warning.figures.end()
             ? std::nullopt
             : std::optional(figure_text(figure->second, item.substr(end)));
}

std::optional<std::string> filled(const Warning& warning, std::string_view text);

/// The first of `one|another|...` that can be said.
std::string chosen(const Warning& warning, std::string_view choices) {
  while (true) {
    const std::size_t end = choices.find('|');
    if (const auto text = filled(warning, choices.substr(0, end)); text || end == kNowhere) {
      return text.value_or("");
    }
    choices.remove_prefix(end + 1);
  }
}

/// Nothing where the warning lacks an item of it.
std::optional<std::string> filled(const Warning& warning, std::string_view text) {
  std::string all;
  while (true) {
    const std::size_t begin = text.find_first_of("{[");
    all += text.substr(0, begin);
    if (begin == kNowhere) {
      return all;
    }
    const std::size_t end = text.find(text[begin] == '{' ? '}' : ']', begin);
    const std::string_view inner = text.substr(begin + 1, end - begin - 1);
    const auto said = text[begin] == '{' ? item_text(warning, inner) : chosen(warning, inner);
    if (!said) {
      return std::nullopt;
    }
    all += *said;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

const Wording* find_wording(WarningKind kind) {
  using enum WarningKind;
  // clang-format off: a sentence is one line where it can be
#define PERF_SESSIONS                                                                         \
  "{base} {base:session/sessions} of base[ ({earlier} of commits before it, at its level)], " \
  "{head} of head"
#define PERF_MEASURE_PAIRS "; for a verdict measure pairs (perf-compare BASE HEAD)"
#define PERF_GIVE_SESSIONS \
  PERF_MEASURE_PAIRS ", or give {least} or more sessions a side of one machine"
  static constexpr auto kWordings = std::to_array<Wording>({
      {noisy, "noisy: coefficient of variation above {most%}"},
      {too_few_pairs, "too few pairs: {pairs} measured, a verdict needs {needed}"},
      {too_few_given, "only {pairs} {pairs:pair/pairs}: a verdict needs {needed}"},
      {pairs_may_be_correlated,
       "the pairs may be correlated: {pairs} are too few to check, measure {enough}"},
      {order_matters,
       "the order of the processes matters: some pairs show {one+%}, the others {other+%}, "
       "depending on the process before them; a side slows the process after it"},
      {mean_disagrees,
       "mean and median disagree: the mean of the steps changed by {mean+%}, the median by "
       "{median+%}"},
      {runs_failed,
       "{head_failed} of {head_runs} runs failed at head, {base_failed} of {base_runs} at base"},
      {work_left_running,
       "processes in the background outlived {head} of {head_runs} runs at head, {base} of "
       "{base_runs} at base; they were killed, and their work is not measured"},
      {largest_process,
       "peak_rss is of the largest of several processes: this machine does not list them"},
      {same_session,
       "[{file} has the same values {within} times|{file} and {more} more were given {times} "
       "times each|{file} was given {times} times|{again} and {more} more repeat the values of "
       "{file}|{again} repeats the values of {file}]: counted once"},
      {same_on_both_sides,
       "base and head are the same session: {base} and {head}[, and {more} more]"},
      {equal_sessions,
       "the sessions of each side have equal values, which show no noise: give separate runs"},
      {session_drift,
       "session drift: both sides moved by {change+%} from start to end; pairs cancel it",
       "session drift"},
      {halves_disagree,
       "halves disagree: {first+%} in the first half of the session, {second+%} in the second",
       "halves disagree"},
      {bimodal_pairs,
       "two groups: [the runs of {side}|the changes of the pairs] fall into two groups, {apart%} "
       "apart",
       "two groups"},
      {steal,
       "steal: the hypervisor took {share%} of the time away[, in {workloads} of {measured} "
       "workloads]",
       "steal"},
      {machine_pressure,
       "pressure: tasks waited for a processor {share%} of the time[, in {workloads} of "
       "{measured} workloads]",
       "pressure"},
      {control_alarm,
       "control arm: base against itself changed[ by {change+%}], which is a false alarm; do not "
       "trust this row"},
      {control_shift,
       "control arm: base against itself changed[ by {change+%}], more than chance explains"},
      {audit_alarm,
       "audit: {workload} runs the same program on both sides according to its trace, but its "
       "{metric} changed[ by {change+%}], enough for a verdict; do not trust 'same program' "
       "here (use --measure all)"},
      {clocks_differ,
       "clocks differ: {base,MHz} and {head,MHz} MHz; lock the GPU's clock (nvidia-smi "
       "--lock-gpu-clocks MHZ), or let it cool down"},
      {device_in_use, "abandoned: {why}"},
      {device_shared,
       "memory of another process may be on the GPU: it changed without this one, and the driver "
       "lists no processes here"},
      {device_not_watched, "the GPU was not watched in {runs} {runs:run/runs}: {why}"},
      {foreign_code, "{workload} ran code from {file}, not from the commits"},
      {count_varies,
       "the count varies between runs: by {base_spread.%} at base and {head_spread.%} at head"},
      {counted_once, "counted once per side: an exact comparison needs two equal counts per side"},
      {not_counted, "not counted under callgrind: {why}"},
      {incomplete_pairs,
       "only {pairs} of {all} {all:pair/pairs} {pairs:has/have} a value on both sides"},
      {not_in_first_pair,
       "not judged: it has no value in the first pair, which sets how many comparisons share the "
       "error rate"},
      {retried,
       "[{pairs} {pairs:pair was/pairs were}|{invocations} {invocations:invocation "
       "was/invocations were}] run again; the first time, [both sides failed: {at_both}|both sides "
       "failed: base: {at_base}; head: {why}|{side} failed: {why}]"},
      {given_up, "abandoned: its pairs were not completed"},
      {failed,
       "[fails on both sides{alike}: {at_both}|fails on both sides{alike}: base: {at_base}; head: "
       "{why}|{side} failed: {why}|{why}]"},
      {not_compared,
       "not compared[, because base failed twice on one pair; {side} failed: {why}|: {why}]"},
      {not_measured, "not measured"},
      {no_such_metric, "not measured: no such metric"},
      {too_few_steps,
       "a process at {side} has {steps} timed {steps:step/steps}: {metric} needs {needed} in each"},
      {ended_early, "not measured: the run ended before its first pair was complete"},
      {not_stored, "neither revision has stored values at this size"},
      {only_at_base, "only the config of base has it; it was not run"},
      {not_same_work, "different work on both sides: {name} is {base} at base, {head} at head"},
      {unlike_units,
       "its unit or direction is not the same {where}[: {name} is {base} at base, {head} at head]"},
      {no_ratio,
       "[pair {pair} has no ratio: a side is empty, negative or not finite|negative or "
       "non-finite values have no ratio]"},
      {unlike_machines,
       "the sides ran in different environments[: {name} is {base} at base, {head} at head]"},
      {other_machines, "{sessions} {sessions:session/sessions} of other machines left out"},
      {unlike_params, "not all {of} ran with the same parameters[: {differences}]"},
      {unlike_environments, "different environments: {name} is {base} at base, {head} at head",
       "different environments"},
      {unlike_settings, "different settings: {name} is {base} at base, {head} at head"},
      {setting_not_taken,
       "setting ignored[: both sides ran with {name} {value}|: {name} is not among the "
       "parameters that the workload reports]"},
      {environment_changed,
       "environment changed: {name} was {before} at the start of the run, {after} at its end"},
      {shard_missing, "shard {shard} is missing: its workloads are not judged"},
      {target_across_shards,
       "target '{target}': its workloads were measured by the shards {shards}[, on {hosts}|, on "
       "different machines, so it is not evaluated]"},
      {target_without_metric, "target '{target}': workload '{workload}' has no metric '{metric}'"},
      {target_without_fact, "target '{target}': workload '{workload}' reports no '{fact}'"},
      {not_explained, "the changes were not explained: {why}"},
      {unfinished,
       "the run has no report because it is still measuring or was killed; the values are those "
       "of its processes so far"},
      {pruned,
       "the raw steps of {pruned} of {processes} processes were pruned: plots lack them; the "
       "numbers are the stored ones"},
      {not_reproduced,
       "{workload} {metric}: the stored samples give [{again}|another change], the stored report "
       "has {stored}: one of them was changed, or another version analyzed them"},
      {foreign_command,
       "the stored command to reproduce it was not written by perf-compare and is not shown"},
      {stored, "nothing was measured: the pairs come from the stored {runs:run/runs} {names}"},
      {nothing_paired, "nothing was measured: no stored run has pairs of these revisions"},
      {no_samples, "nothing was measured: a report file has no samples"},
      {uncommitted_files,
       "{files} uncommitted {files:file is/files are} not measured[; use `{instead}`]"},
      {broken_config, "the config of {revision} is invalid ({why}); it is built like {instead}"},
      {policy_of_base,
       "base's policy and targets apply (--policy head uses head's); head's config changes: "
       "{changes}"},
      {run_otherwise, "both sides run {workloads} as in head's config, which differs from base's"},
      {unknown_parameter,
       "no selected workload has a parameter '{name}': it is passed on as --{name}"},
      {lfs_pointers, "{revision} has LFS pointers instead of files ({files}); hint: {remedy}"},
      {files_not_in_git,
       "{workload} names {files}, which {count:is/are} in the working tree but not in the "
       "checkout: "
       "git {git} {count:it/them}; hint: let \"build\" make or fetch {count:it/them}, commit "
       "{count:it/them} (git-lfs for large files), or list {count:it/them} in \"uses\" and read "
       "{count:it/them} from PERF_COMPARE_CONFIG_DIR"},
      {files_beside_config,
       "{workload} names {file}, which is in {folder}, but commands run at the top of a checkout; "
       "hint: \"cwd\": \"{folder}\""},
      {base_not_built, "{revision} {why}: only workloads that its config lacks count as new"},
      {neither_built, "{revision} {why} either"},
      {no_supervisor,
       "{file} is missing: peak_rss includes memory of perf-compare, which differs between "
       "machines; reinstall perf-compare"},
      {other_benchmark,
       "the stored values of {workload}[ and {more} {more:other/others}] come from another "
       "version of the benchmark[ in {folder} (last changed: {latest})| in {folder}| outside the "
       "repository]: a new series begins"},
      {several_benchmarks,
       "{workload}[ and {more} {more:other/others}]: the benchmark outside the repository was "
       "changed, or values were imported: each has its own series, and no commit is blamed for "
       "their differences"},
      {planted,
       "planted in {workload} at head: [a slowdown of {slowdown%}|an allocation of {allocation} "
       "B], by [{parameter:its own parameter/}|{preload:a preloaded library/}|stopping and "
       "continuing it]"},
      {benchmark_skipped, "[{benchmark} was skipped|skipped on {on}|skipped at {where}]: {why}"},
      {benchmarks_skipped,
       "{benchmarks} {benchmarks:benchmark was/benchmarks were} skipped[ ({benchmark}: {why})][; "
       "{filter} excludes {benchmarks:it/them}]"},
      {repetitions_left_out,
       "some repetitions of {benchmark}[ and of {more} more] were left out: {why}"},
      {ambiguous_name,
       "[{benchmark} and {more} more are names|{benchmark} is the name] of several benchmarks, and "
       "none was used: give each its own name"},
      {no_benchmark, "the file has no benchmark"},
      {edited_benchmark, "the benchmark itself was edited: {base} at base, {head} at head"},
      {no_rounds,
       "{benchmarks} {benchmarks:benchmark has/benchmarks have} statistics only: the {statistic} "
       "counts as one value[; {remedy}]"},
      {uncommitted_changes, "the tree had uncommitted changes"},
      {lines_passed_over,
       "{lines} {lines:line begins/lines begin} with a benchmark's name but {lines:has/have} no "
       "result"},
      {files_passed_over,
       "{files} {files:file was/files were} skipped{files:: /, first }{file} ({why})"},
      {several_commits,
       "the files of {folder} are of {commits} commits, and count as sessions of one side; choose "
       "some with {folder}@NAME, the beginning of their names"},
      {log_prefix, "the prefix of a log was left out of its lines: {prefix}"},
      {other_text,
       "{lines} {lines:line/lines} of other text beside the JSON {lines:was/were} skipped; let the "
       "tool write a file of its own, such as --benchmark_out=FILE"},
      {broken_off, "[{what}|the run] did not finish: {why}"},
      {values_left_out,
       "{values} {values:value was/values were} left out ({metric} of {benchmark}: {why})"},
      {facts_passed_over, "{facts} facts of the machine were ignored: together they exceed 4 KiB"},
      {metric_name_length,
       "metric {metric} of {benchmark} was ignored: its name must have 1 to 200 bytes"},
      {metric_unit_length,
       "metric {metric} of {benchmark} was ignored: its unit must have at most 200 bytes"},
      {metric_measured_here,
       "metric {metric} of {benchmark} was ignored: perf-compare measures it itself"},
      {negative_metric,
       "metric {metric} of {benchmark} is not judged: it is negative and has no relative change"},
      {renamed,
       "{benchmarks} {benchmarks:benchmark is/benchmarks are} stored under "
       "{benchmarks:another name/other names}: {benchmark} becomes {workload}"},
      {no_value, "{workload} has no value: {why}"},
      {commits_elsewhere,
       "{commits} measured {commits:commit is not a first-parent ancestor/commits are not "
       "first-parent ancestors} of {head} (of another branch, or merged): left out"},
      {baseline_off_line,
       "the baseline {baseline} is not on this line: drift from it is not computed"},
      {baseline_unmeasured,
       "no series that is still measured has a point at the baseline {baseline}: drift from it "
       "is not computed"},
      {shallow_clone,
       "this clone is shallow: history ends at {commit}; fetch all of it (`fetch-depth: 0`, `git "
       "fetch --unshallow`)"},
      {head_unmeasured, "{head} was not measured: the last measured commit is {commit}"},
      {hosts_differ,
       "host {host} differs by {change+%} from others of machine {fingerprint}: {series} of its "
       "series {series:is/are} kept separate"},
      {machine_slope,
       "{series} of {of} series of {metric} on machine {fingerprint} drift together, by about "
       "{change+%}: more likely the machine than a commit[; to check: {confirm}]"},
      {nothing_to_confirm,
       "nothing to compare: [the remaining alerts and suspects cannot be measured again, because "
       "they were imported or are no longer in the config: {only_kept}|every alert and suspect "
       "has a comparison]"},
      {not_in_config,
       "could not compare {workload} at {commits}: no workload of size {size} in the config"},
      {not_confirmed, "could not compare {commits}: {why}"},
      {confirmations_left,
       "{left} of {all} comparisons are left: the budget is spent[; at {each} each, as tonight, "
       "they need --budget {budget}]"},
      {confirmations_interrupted, "{left} of {all} comparisons were not started: interrupted"},
      {not_calibrated, "not calibrated: {why}"},
      {false_alarm,
       "identical code was called {verdict}: {workload} {metric}[, {change+%}]; do not trust "
       "verdicts on this workload here"},
      {autocorrelated,
       "the pairs of {workload} {metric} are correlated, which the rule does not allow for"},
      {noise_hardly_known,
       "only {pairs} {pairs:pair/pairs}: the noise estimate is rough; use a larger --budget"},
      {false_alarm_rate,
       "at a threshold of {threshold%}, {rate%} of replayed reports on identical code raise a "
       "false alarm, more than the allowed {alpha%}"},
      // Notes.
      {device_throttled,
       "the GPU lowered its clock ({reasons}): in {base%} of the samples at base, {head%} at head"},
      {decided_early,
       "decided at {pairs} pairs[, by the noise of {earlier} earlier pairs]: a state that only "
       "some of head's processes enter may be unseen"},
      {noise_unlike_history,
       "the first pairs lie {range%} apart; {earlier} earlier pairs were seldom {usual%} from "
       "their "
       "median"},
      {warmup_pair,
       "the first pair was a warm-up and does not count: its processes made {files} new "
       "{files:file/files} ({file})"},
      {below_threshold, "significant shift of {change+%} below the threshold"},
      {probably_below_threshold, "{direction} by about {change%}, probably below the threshold"},
      {correlated_pairs,
       "neighbouring pairs are correlated (up to {correlation.1}): interval widened {widening.1} "
       "times"},
      {coarse_memory, "its threshold is {threshold%}: the kernel reports memory to within 256 KiB"},
      {steps_pruned, "its raw steps were pruned: base and head are summed up by invocation"},
      {unstable_check,
       "check {check} fails in {head_failed} of {head_runs} at head[, {base_failed} of {base_runs} "
       "at base]"},
      {check_unreported,
       "check {check}, which base reports, is not reported in {runs} of {all} runs at head"},
      {sides_differ, "{name} is {base} at base, {head} at head"},
      {setting_replaced, "{name} was set to {wanted} at {side}, which ran with {taken}"},
      {program_output, "{text}"},
      {short_process,
       "below 10 ms, starting the process takes most of the time: let the command repeat its work"},
      {counted_under_callgrind,
       "counted under callgrind: whole processes of {steps} steps, one OpenMP thread, no AVX-512"},
      {counted_otherwise, "counted with {name} {counted}, timed with {timed}"},
      {instructions_changed, "[{more.%} more|{fewer.%} fewer] instructions, exactly"},
      {only_instructions_changed,
       "[{more.%} more|{fewer.%} fewer] instructions, but no change of the time[ that these pairs "
       "could show, {visible%}]"},
      {only_time_changed,
       "the time changed, the number of instructions did not: memory, layout or the processor's "
       "clock"},
      {judged_from_sessions,
       "no pairs: judged from " PERF_SESSIONS ", one value each; a change of the machine between "
       "them would look the same"},
      {judged_by_others,
       "one session a side, judged by the {others} other {others:benchmark/benchmarks}: only "
       "changes far larger than theirs are found" PERF_GIVE_SESSIONS},
      {repetitions_needed,
       "one file a side with {repetitions} {repetitions:value/values} of a benchmark decides "
       "nothing here: {needed} repetitions would show a severalfold change (-count {needed}, "
       "--benchmark_repetitions={needed}, --runs {needed}); or give {least} files of separate runs "
       "a side"},
      {correlated_sessions,
       "interval widened for correlated sessions: {widening.2} times, for a correlation up to "
       "{correlation.2}",
       "interval widened for correlated sessions"},
      {samples_missing,
       "no pairs, but " PERF_SESSIONS ": a report holds no samples" PERF_MEASURE_PAIRS},
      {machine_unnamed,
       "no pairs, but " PERF_SESSIONS ", and this format names no machine; if {least} sessions a "
       "side ran on one, name it with --environment NAME; else measure pairs: a workload's "
       "\"format\" in the config reads what this tool prints"},
      {machine_unknown,
       "no pairs, but " PERF_SESSIONS ": they may be of different machines[ ({fact_name} is "
       "{fact_base} at base, {fact_head} at head; if these are alike: "
       "--environment NAME)]" PERF_GIVE_SESSIONS},
      {base_not_collected,
       "no pairs, but " PERF_SESSIONS ": base itself was not measured, so changes before it would "
       "count as head's; collect it" PERF_MEASURE_PAIRS},
      {too_few_sessions, "no pairs, but " PERF_SESSIONS ", and repetitions within a session share "
                         "its noise" PERF_GIVE_SESSIONS},
      {sessions_needed,
       "no pairs, but " PERF_SESSIONS ": an interval at this error rate needs {needed} a side"},
      {not_profiled, "not profiled: {why}"},
      {functions_unchanged, "profiled: no function's share of the time moved by more than chance"},
      {layout_excluded,
       "the hot code is the same at base and head, but the change stays when both are linked "
       "anew: [{change+%} ]over {builds} {builds:build/builds} a side"},
      {layout_undecided,
       "the hot code is the same at base and head, but linking both anew is inconclusive: from "
       "{low+%} to {high+%} over {builds} {builds:build/builds} a side"},
      {layout_not_tested,
       "may be a layout effect: the hot code is the same at base and head, but {why}"},
  });
#undef PERF_SESSIONS
#undef PERF_MEASURE_PAIRS
#undef PERF_GIVE_SESSIONS
  // clang-format on
  const auto* found = std::ranges::find(kWordings, kind, &Wording::kind);
  return found == kWordings.end() ? nullptr : found;
}

std::string sentence(const Warning& warning) {
  const Wording* wording = find_wording(warning.kind);
  const auto text = wording ? filled(warning, wording->text) : std::nullopt;
  const auto shard = warning.about.find("of_shard");
  return (shard == warning.about.end() ? "" : "shard " + shard->second + ": ") +
         text.value_or(std::string(to_string(warning.kind)));
}

std::vector<std::string> sentences(const std::vector<Warning>& warnings) {
  return mapped(warnings, sentence);
}

std::string why_text(const SelftestRow& row) {
  const std::string reason = row.reason ? sentence(*row.reason) : "";
  return row.why + (row.why.empty() || reason.empty() ? "" : ": ") + reason;
}

}  // namespace perf::reporter
