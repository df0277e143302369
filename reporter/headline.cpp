#include "reporter/headline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "reporter/quantity.h"
#include "reporter/target_table.h"
#include "reporter/verdict_sentence.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

/// "Wrong output: check C of W fails at head, not at base". Every metric of a workload repeats its
/// checks, so they are counted by workload and name.
Prose wrong_output(const Report& report) {
  std::set<std::pair<std::string, std::string>> failing;
  for (const Comparison& comparison : report.comparisons) {
    for (const CheckResult& check : comparison.checks) {
      if (newly_fails(check)) {
        failing.emplace(comparison.workload, check.name);
      }
    }
  }
  if (failing.empty()) {
    return {};
  }
  Prose prose{{Tone::bad, "Wrong output"},   words(": check "),
              name(failing.begin()->second), words(" of "),
              name(failing.begin()->first),  words(" fails at head, not at base")};
  if (failing.size() > 1) {
    prose.push_back(words(", and " + std::to_string(failing.size() - 1) + " more"));
  }
  return prose;
}

Prose missed_target(const Report& report) {
  for (const TargetResult& result : report.targets) {
    if (result.met == false) {
      Prose prose{{Tone::bad, "Target missed"}, words(": ")};
      append(prose, target_phrase(result, report));
      return prose;
    }
  }
  return {};
}

/// The verdicts that share the error rate, as the effort line counts them; what is new or missing
/// was never open.
std::size_t judged_count(const Report& report, std::size_t open) {
  std::size_t count = 0;
  if (report.judged >= static_cast<int>(std::max<std::size_t>(open, 1))) {
    return static_cast<std::size_t>(report.judged);
  }
  for (const Verdict verdict : kVerdicts) {
    count += with_verdict(report, verdict).size();
  }
  return count;
}

Prose stopped_early(const Report& report) {
  const std::size_t open = with_verdict(report, Verdict::inconclusive).size();
  const std::string undecided = " with " + std::to_string(open) + " of " +
                                counted(judged_count(report, open), "comparison", "comparisons") +
                                " undecided";
  if (report.interrupted) {
    return {{Tone::warn, "Interrupted"},
            words(" after " + elapsed(report.measured) + " of measuring" + undecided)};
  }
  if (report.budget_spent && open > 0) {
    return {words("The budget of " + elapsed(report.policy.budget) + " ended" + undecided)};
  }
  return {};
}

void keep_sentence(std::vector<Prose>& sentences, Prose sentence) {
  if (!sentence.empty()) {
    sentences.push_back(std::move(sentence));
  }
}

bool has(const Report& report, Verdict verdict) {
  return !with_verdict(report, verdict).empty();
}

}  // namespace

std::vector<Prose> headline(const Report& report) {
  std::vector<Prose> sentences;
  keep_sentence(sentences, wrong_output(report));
  const bool bad_verdict = report.nothing_ran || report.summary.verdict == Verdict::regressed ||
                           report.summary.verdict == Verdict::failed;
  // The worst news comes first: it is what the exit code says.
  if (bad_verdict) {
    keep_sentence(sentences, verdict_sentence(report));
    keep_sentence(sentences, missed_target(report));
  } else {
    keep_sentence(sentences, missed_target(report));
    keep_sentence(sentences, verdict_sentence(report));
  }
  keep_sentence(sentences, stopped_early(report));
  return sentences;
}

Mood mood_of(const Report& report) {
  if (report.nothing_ran || has(report, Verdict::regressed) || has(report, Verdict::failed) ||
      !wrong_output(report).empty() || !missed_target(report).empty()) {
    return Mood::bad;
  }
  const bool unsettled = report.interrupted || has(report, Verdict::inconclusive) ||
                         has(report, Verdict::incomparable) || has(report, Verdict::missing);
  return unsettled ? Mood::unsettled : Mood::good;
}

}  // namespace perf::reporter
