#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

using Chosen = std::vector<const Comparison*>;

const Comparison& worst_of(const Chosen& chosen) {
  return **std::ranges::max_element(chosen, {}, [](const auto* one) { return badness(*one); });
}

const Comparison& best_of(const Chosen& chosen) {
  return **std::ranges::min_element(chosen, {}, [](const auto* one) { return badness(*one); });
}

/// The workloads of comparisons, each once.
std::vector<std::string> workload_names(const Chosen& chosen) {
  std::set<std::string> names;
  for (const Comparison* comparison : chosen) {
    names.insert(comparison->workload);
  }
  return {names.begin(), names.end()};
}

/// What base alone has: whole workloads, then metrics of others ("latency of parser"), each once.
struct OnlyAtBase {
  std::vector<std::string> names;
  std::int64_t workloads = 0, metrics = 0;
};

OnlyAtBase only_at_base(const Report& report, const Chosen& missing) {
  std::set<std::string> workloads, metrics;
  for (const Comparison* one : missing) {
    if (std::ranges::any_of(report.comparisons, [one](const Comparison& other) {
          return other.workload == one->workload && other.verdict != Verdict::missing;
        })) {
      metrics.insert(one->metric.name + " of " + one->workload);
    } else {
      workloads.insert(one->workload);
    }
  }
  OnlyAtBase only{{workloads.begin(), workloads.end()}, std::ssize(workloads), std::ssize(metrics)};
  only.names.insert(only.names.end(), metrics.begin(), metrics.end());
  return only;
}

/// "; 2 more regressed, 1 missing (a)": what else is not unchanged. Of the verdict said already,
/// `said` comparisons are known.
Prose other_counts(const Report& report, Verdict sentence, std::size_t said) {
  Prose prose;
  for (const Verdict verdict : kVerdicts) {
    const Chosen chosen = with_verdict(report, verdict);
    const bool same = verdict == sentence;
    const std::size_t known = same ? said : 0;
    if (verdict == Verdict::unchanged || chosen.size() <= known) {
      continue;
    }
    append(prose, words(prose.empty() ? "; " : ", "),
           words(std::to_string(chosen.size() - known) + (same ? " more " : " ") +
                 std::string(to_string(verdict))));
    if (verdict == Verdict::missing && !same) {
      append(prose, " (", names_of(only_at_base(report, chosen).names), ")");
    }
  }
  return prose;
}

Prose moved(const Comparison& comparison, bool worse) {
  return joined(name(comparison.workload), " ", words(direction_words(comparison.metric, worse)),
                ": ", change_phrase(comparison),
                words(comparison.certain ? ", certainly" : ", probably"),
                " beyond the threshold of ", number(threshold_phrase(comparison)));
}

/// What could not be compared, and why; where all have one reason, the reason alone.
Prose reasoned(const Chosen& chosen, const std::string& without_reason) {
  const Comparison& first = *chosen.front();
  const std::string reason = reason_of(first);
  if (one_reason(chosen) && chosen.size() > 1) {
    return {data(reason), words(" (" + counted(chosen.size(), "comparison") + ")")};
  }
  if (reason.empty()) {
    return {name(first.workload), words(" " + without_reason)};
  }
  return {name(first.workload), ": ", data(reason)};
}

Prose failed(const Chosen& chosen) {
  return chosen.empty() ? Prose{"nothing ran"} : reasoned(chosen, "could not be measured");
}

Prose inconclusive(const Comparison& worst) {
  Prose prose = joined(name(worst.workload), " ", change_phrase(worst));
  const bool none = worst.pairs == 0;
  prose.push_back(words(none ? " without pairs" : " after " + counted(worst.pairs, "pair")));
  if (worst.look == 0) {
    append(prose, words(none ? "" : ": too few for a verdict"),
           words(worst.pairs_needed ? "; the first look is at " + rough_count(*worst.pairs_needed)
                                    : ""));
  } else if (worst.pairs_needed) {
    prose.push_back(words("; about " + rough_count(*worst.pairs_needed) + " pairs are needed"));
  }
  return prose;
}

/// "3 workloads", for verdicts about whole workloads; files have benchmarks.
std::string workloads_of(const Report& report, std::int64_t count) {
  return counted(count, report.head.kind == SideKind::files ? "benchmark" : "workload");
}

std::string workloads_of(const Report& report, const Chosen& chosen) {
  return workloads_of(report, std::ssize(workload_names(chosen)));
}

bool skipped(const Comparison& comparison) {
  return !comparison.warnings.empty() &&
         comparison.warnings.front().kind == WarningKind::benchmark_skipped;
}

Prose missing(const Report& report, const Chosen& chosen) {
  const OnlyAtBase only = only_at_base(report, chosen);
  const std::string workloads = workloads_of(report, only.workloads),
                    metrics = counted(only.metrics, "metric"),
                    count = only.workloads == 0 ? metrics
                            : only.metrics == 0 ? workloads
                                                : workloads + " and " + metrics;
  return joined(words(count + (skipped(*chosen.front()) ? " skipped: " : " only at base: ")),
                names_of(only.names));
}

/// Whether the sentence of what is open names no comparison: no pairs would decide one.
bool is_without_pairs(const Chosen& chosen) {
  return std::ranges::all_of(chosen, [](const Comparison* one) {
    return one->pairs == 0 && one->look == 0 && !one->pairs_needed;
  });
}

/// "; undecided, but BenchmarkParse is 7.0 times slower": the worst large change that no pairs
/// stand behind, of the times if there is one.
Prose undecided_phrase(const Report& report) {
  Chosen large = with_verdict(report, Verdict::inconclusive);
  std::erase_if(large, [](const Comparison* one) {
    return one->pairs > 0 || !one->change || badness(*one) < std::log1p(one->threshold);
  });
  if (large.empty()) {
    return {};
  }
  Chosen times = large;
  std::erase_if(times, [](const Comparison* one) { return one->metric.name != kStepTime.name; });
  const Comparison& worst = worst_of(times.empty() ? large : times);
  const double factor = 1 + *worst.change;
  Prose phrase{"; undecided, but ", name(worst.workload)};
  if (worst.metric.name != kStepTime.name) {
    append(phrase, " ", name(worst.metric.name));
  }
  append(phrase, " is ",
         number(factor >= 2 ? fixed(factor, 1) + " times" : percent(std::abs(*worst.change))),
         words(" " + direction_word(worst.metric, *worst.change)));
  return phrase;
}

Prose fresh(const Report& report, const Chosen& chosen) {
  const std::string measured = workloads_of(report, chosen) + " measured ";
  if (!report.base) {
    return {words("nothing to compare with, " + measured + "for the first time")};
  }
  Prose prose{words(measured + "at head only")};
  for (const Comparison* one : chosen) {
    if (const std::string reason = reason_of(*one); is_command(*report.base) && !reason.empty()) {
      return joined(std::move(prose), ": ", data(reason));
    }
  }
  return prose;
}

Prose unchanged(const Report& report, Chosen chosen) {
  std::erase_if(chosen, [](const Comparison* one) { return one->is_same_program(); });
  const Prose same = same_program_phrase(report);
  if (chosen.empty()) {
    return same.empty() ? Prose{"nothing to judge"} : same;
  }
  if (chosen.size() == 1) {
    return joined(name(chosen.front()->workload), " ", change_phrase(*chosen.front()),
                  ", less than ", number(threshold_range(chosen)));
  }
  return {words("none of " + std::to_string(chosen.size()) + " comparisons moved by "),
          number(threshold_range(chosen)), " or more"};
}

/// Whether the sentence is about one comparison, not about all that have the verdict.
bool names_one(Verdict verdict, const Chosen& chosen) {
  return verdict == Verdict::regressed || verdict == Verdict::improved ||
         (verdict == Verdict::inconclusive && !is_without_pairs(chosen)) ||
         ((verdict == Verdict::failed || verdict == Verdict::incomparable) && !one_reason(chosen));
}

Chosen all_of(const Report& report) {
  return mapped(report.comparisons, [](const Comparison& one) { return &one; });
}

/// What follows the verdict's word; `chosen` holds the comparisons that have it.
Prose findings(const Report& report, Verdict verdict, const Chosen& chosen) {
  switch (verdict) {
    case Verdict::regressed:
      return moved(worst_of(chosen), true);
    case Verdict::improved:
      return moved(best_of(chosen), false);
    case Verdict::inconclusive:
      return is_without_pairs(chosen) ? Prose{words(counted(chosen.size(), "comparison"))}
                                      : inconclusive(worst_of(chosen));
    case Verdict::incomparable:
      return reasoned(chosen, "cannot be compared");
    case Verdict::missing:
      return missing(report, chosen);
    case Verdict::fresh:
      return fresh(report, chosen);
    case Verdict::unchanged:
      return unchanged(report, chosen);
    case Verdict::failed:
      return failed(chosen);
  }
  return {};
}

/// What other sentences than that of a report which measured nothing add.
Prose also_same(const Report& report, const Chosen& chosen) {
  const bool said = std::ranges::all_of(chosen, &Comparison::is_same_program);
  const Prose same = said && !chosen.empty() ? Prose{} : same_program_phrase(report);
  return same.empty() ? Prose{} : joined("; ", same);
}

/// The sentence of a report that compares nothing, unless something failed.
Prose nothing_compared(const Report& report) {
  const Chosen incomparable = with_verdict(report, Verdict::incomparable);
  const Chosen missing = with_verdict(report, Verdict::missing);
  Prose prose{bad("Nothing was compared"), ": "};
  if (!incomparable.empty()) {
    const Comparison& first = *incomparable.front();
    prose.push_back(words(counted(incomparable.size(), "row is", "rows are") + " incomparable: "));
    if (!one_reason(incomparable) || incomparable.size() == 1) {
      append(prose, name(first.workload), ": ");
    }
    append(prose, data(reason_of(first)),
           other_counts(report, Verdict::incomparable, incomparable.size()));
  } else if (!with_verdict(report, Verdict::fresh).empty()) {
    append(prose, "no benchmark has the same name on both sides",
           other_counts(report, Verdict::unchanged, 0));
  } else if (!missing.empty()) {
    append(prose, findings(report, Verdict::missing, missing));
  } else if (const Chosen all = all_of(report);
             !all.empty() &&
             std::ranges::all_of(all, [](const auto* one) { return skipped(*one); })) {
    append(prose, words(workloads_of(report, all) + " skipped: "), names_of(workload_names(all)));
  } else if (!report.comparisons.empty()) {
    append(prose, "no metric here is judged; choose one with ", command("--metric NAME"));
  } else {
    prose.push_back("neither side has a benchmark");
  }
  return prose;
}

/// The summary's verdict with the worst case and its interval, and counts of what else is not
/// unchanged: "Regressed: training/mlp_stack is slower: step_time 412 ms -> 471 ms, +14.3 % [...]".
Prose verdict_sentence(const Report& report) {
  const Verdict verdict = report.nothing_ran ? Verdict::failed : report.summary.verdict;
  const bool is_empty = report.comparisons.empty() && is_judged_elsewhere(report);
  if ((verdict != Verdict::failed || is_empty) && compares_nothing(report)) {
    return nothing_compared(report);
  }
  const Chosen chosen = with_verdict(report, verdict);
  std::string word(to_string(verdict));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  const Tone tone = verdict == Verdict::unchanged ? Tone::good : tone_of(verdict);
  if (report.undecided && verdict == Verdict::inconclusive && !chosen.empty()) {
    return joined(nothing_decided(report, other_counts(report, verdict, chosen.size())),
                  also_same(report, chosen));
  }
  Prose prose{{tone == Tone::plain ? Tone::strong : tone, word}, ": "};
  const bool needs_no_rows = verdict == Verdict::unchanged || verdict == Verdict::failed;
  if (chosen.empty() && !needs_no_rows) {  // a summary that counts nothing: a file from elsewhere
    prose.push_back("no comparison explains it");
    return prose;
  }
  append(prose, findings(report, verdict, chosen),
         other_counts(report, verdict, names_one(verdict, chosen) ? 1 : chosen.size()),
         also_same(report, chosen), undecided_phrase(report));
  return prose;
}

/// "Wrong output: check C of W fails at head, not at base"; of several the first by name.
Prose wrong_output(const Report& report) {
  const std::vector<WorkloadCheck> failing = checks_of(report, newly_fails);
  if (failing.empty()) {
    return {};
  }
  const auto [workload, check] = *std::ranges::min_element(
      failing, {},
      [](const WorkloadCheck& one) { return std::pair(one.workload, one.check.name); });
  Prose prose = check.name == kRunsEndWell
                    ? joined(bad("Failing runs"), ": ", name(workload),
                             words(" fails in " + failing_runs(check)))
                    : joined(bad("Wrong output"), ": check ", name(check.name), " of ",
                             name(workload), " fails at head, not at base");
  if (failing.size() > 1) {
    prose.push_back(words(", and " + std::to_string(failing.size() - 1) + " more"));
  }
  return prose;
}

Prose missed_target(const Report& report) {
  for (const TargetResult& result : report.targets) {
    if (result.met == false) {
      return joined(bad("Target missed"), ": ", target_phrase(result, report));
    }
  }
  return {};
}

/// An audit that moved puts all that was not measured in doubt.
Prose audit_alarm(const Report& report) {
  const auto alarm = std::ranges::find_if(report.audits, &ControlResult::alarmed);
  if (alarm == report.audits.end()) {
    return {};
  }
  return joined(warn("Audit alarm"), ": ", name(alarm->workload), " ", name(alarm->metric.name),
                " ", number(change_text(alarm->change, alarm->interval)),
                " although both sides run the same program; do not trust workloads not measured");
}

/// What head's config changes, which a reviewer must see.
void add_config_changes(const Report& report, std::vector<Prose>& sentences) {
  for (const Warning& warning : report.warnings) {
    if (is_in_headline(warning)) {
      sentences.push_back(joined(warn("Config changed"), ": ", data(sentence(warning))));
    }
  }
}

/// The verdicts that share the error rate, as the effort line counts them; what is new or missing
/// was never open.
std::ptrdiff_t judged_count(const Report& report, std::size_t open) {
  if (report.judged >= static_cast<int>(std::max<std::size_t>(open, 1))) {
    return report.judged;
  }
  return std::ranges::count_if(report.comparisons,
                               [](const Comparison& one) { return verdict_of(one).has_value(); });
}

Prose judged_elsewhere(const Report& report) {
  return !report.shard
             ? Prose{}
             : joined(strong("Shard " + to_text(*report.shard)), " has no verdicts of its own: ",
                      command("perf-compare report --join FILE..."));
}

Prose stopped_early(const Report& report) {
  if (report.undecided) {  // the verdict's sentence says why
    return {};
  }
  const std::size_t open = with_verdict(report, Verdict::inconclusive).size();
  const std::string undecided = " with " + std::to_string(open) + " of " +
                                counted(judged_count(report, open), "comparison") + " undecided";
  if (report.interrupted) {
    return {warn("Interrupted"),
            words(" after " + elapsed(report.measured) + " of measuring" + undecided)};
  }
  if (report.budget_spent && open > 0) {
    return {words("The budget of " + elapsed(report.policy.budget) + " ended" + undecided)};
  }
  return {};
}

bool has(const Report& report, Verdict verdict) {
  return !with_verdict(report, verdict).empty();
}

}  // namespace

Prose missing_shards(const Report& report) {
  if (report.missing_shards.empty()) {
    return {};
  }
  std::vector<std::string> numbers =
      mapped(report.missing_shards, [](const int number) { return std::to_string(number); });
  const int count =
      report.environments.empty() ? 0 : report.environments.front().shard.value_or(Shard{}).count;
  return {bad(numbers.size() == 1 ? "Shard missing" : "Shards missing"),
          words(": " + perf::joined(numbers, ", ") + " of " + std::to_string(count) +
                ", absent or unfinished")};
}

bool is_in_headline(const Warning& warning) {
  return warning.kind == WarningKind::policy_of_base || warning.kind == WarningKind::run_otherwise;
}

std::vector<Prose> headline(const Report& report) {
  std::vector<Prose> sentences;
  keep(sentences, wrong_output(report));
  const bool regressed = report.summary.verdict == Verdict::regressed;
  keep(sentences, regressed ? Prose{} : missing_shards(report));
  const bool bad_verdict = report.nothing_ran || regressed ||
                           report.summary.verdict == Verdict::failed || compares_nothing(report);
  // The worst news comes first: it is what the exit code says.
  keep(sentences, bad_verdict ? verdict_sentence(report) : missed_target(report));
  keep(sentences, bad_verdict ? missed_target(report) : verdict_sentence(report));
  keep(sentences, regressed ? missing_shards(report) : Prose{});
  add_config_changes(report, sentences);
  keep(sentences, audit_alarm(report));
  keep(sentences, stopped_early(report));
  keep(sentences, judged_elsewhere(report));
  return sentences;
}

Mood mood_of(const Report& report) {
  if (report.nothing_ran || compares_nothing(report) || !report.missing_shards.empty() ||
      has(report, Verdict::regressed) || has(report, Verdict::failed) ||
      !wrong_output(report).empty() || !missed_target(report).empty()) {
    return Mood::bad;
  }
  const bool unsettled = report.interrupted || !audit_alarm(report).empty() ||
                         has(report, Verdict::inconclusive) || has(report, Verdict::incomparable) ||
                         has(report, Verdict::missing);
  return unsettled ? Mood::unsettled : Mood::good;
}

}  // namespace perf::reporter
