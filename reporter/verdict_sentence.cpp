#include "reporter/verdict_sentence.h"

#include <algorithm>
#include <string>
#include <vector>

#include "reporter/change.h"
#include "reporter/quantity.h"
#include "reporter/threshold_band.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

using Chosen = std::vector<const Comparison*>;

const Comparison& worst_of(const Chosen& chosen) {
  return **std::max_element(
      chosen.begin(), chosen.end(),
      [](const Comparison* a, const Comparison* b) { return badness(*a) < badness(*b); });
}

const Comparison& best_of(const Chosen& chosen) {
  return **std::min_element(
      chosen.begin(), chosen.end(),
      [](const Comparison* a, const Comparison* b) { return badness(*a) < badness(*b); });
}

/// "; 2 more regressed, 1 failed": what else is not unchanged. Of the verdict said already, `said`
/// comparisons are known.
Prose other_counts(const Report& report, Verdict sentence, std::size_t said) {
  std::string text;
  for (const Verdict verdict : kVerdicts) {
    const std::size_t count = with_verdict(report, verdict).size();
    const bool same = verdict == sentence;
    if (verdict == Verdict::unchanged || count <= (same ? said : 0)) {
      continue;
    }
    text += text.empty() ? "; " : ", ";
    text += std::to_string(count - (same ? said : 0)) + (same ? " more " : " ") +
            std::string(to_string(verdict));
  }
  return text.empty() ? Prose{} : Prose{words(text)};
}

Prose moved(const Comparison& comparison, bool worse) {
  Prose prose{name(comparison.workload), words(" "),
              words(direction_words(comparison.metric, worse)), words(": ")};
  append(prose, change_phrase(comparison));
  prose.push_back(words(", " + certainty(comparison) + " beyond the threshold of "));
  prose.push_back(number(threshold_phrase(comparison)));
  return prose;
}

/// Whether all of them have no statistics for one reason, as when head does not build.
bool one_reason(const Chosen& chosen) {
  return !chosen.empty() && !reason_of(*chosen.front()).empty() &&
         std::all_of(chosen.begin(), chosen.end(), [&chosen](const Comparison* other) {
           return reason_of(*other) == reason_of(*chosen.front());
         });
}

/// What could not be compared, and why; where all have one reason, the reason alone.
Prose reasoned(const Chosen& chosen, const std::string& without_reason) {
  const Comparison& first = *chosen.front();
  const std::string reason = reason_of(first);
  if (one_reason(chosen) && chosen.size() > 1) {
    return {data(reason), words(" (" + counted(chosen.size(), "comparison", "comparisons") + ")")};
  }
  if (reason.empty()) {
    return {name(first.workload), words(" " + without_reason)};
  }
  return {name(first.workload), words(": "), data(reason)};
}

Prose failed(const Chosen& chosen) {
  return chosen.empty() ? Prose{words("nothing ran, so nothing could be decided")}
                        : reasoned(chosen, "could not be measured");
}

Prose inconclusive(const Comparison& worst) {
  Prose prose{name(worst.workload), words(" ")};
  append(prose, change_phrase(worst));
  const bool none = worst.pairs == 0;
  prose.push_back(
      words(none ? " without a pair"
                 : " after " + counted(static_cast<std::size_t>(worst.pairs), "pair", "pairs")));
  if (worst.look == 0) {
    prose.push_back(words(none ? "" : ": too few for a verdict"));
    prose.push_back(words(
        worst.pairs_needed ? "; the first look is at " + rough_count(*worst.pairs_needed) : ""));
  } else if (worst.pairs_needed) {
    prose.push_back(words("; it would take about " + rough_count(*worst.pairs_needed) + " pairs"));
  }
  return prose;
}

/// "3 workloads", for verdicts about whole workloads.
std::string workloads_of(const Chosen& chosen) {
  std::vector<std::string> names;
  for (const Comparison* comparison : chosen) {
    names.push_back(comparison->workload);
  }
  std::sort(names.begin(), names.end());
  const auto last = std::unique(names.begin(), names.end());
  return counted(static_cast<std::size_t>(last - names.begin()), "workload", "workloads");
}

Prose fresh(const Report& report, const Chosen& chosen) {
  const std::string count = workloads_of(chosen);
  if (!report.base) {
    return {words("nothing to compare with, " + count + " measured for the first time")};
  }
  return {words(count + " measured at head only")};
}

Prose unchanged(const Chosen& chosen) {
  if (chosen.empty()) {
    return {words("there was nothing to judge")};
  }
  if (chosen.size() == 1) {
    Prose prose{name(chosen.front()->workload), words(" ")};
    append(prose, change_phrase(*chosen.front()));
    prose.push_back(words(", less than "));
    prose.push_back(number(threshold_range(chosen)));
    return prose;
  }
  return {words("none of " + std::to_string(chosen.size()) + " comparisons moved by "),
          number(threshold_range(chosen)), words(" or more")};
}

/// Whether the sentence speaks of one comparison, and not of all that have the verdict.
bool names_one(Verdict verdict, const Chosen& chosen) {
  return verdict == Verdict::regressed || verdict == Verdict::improved ||
         verdict == Verdict::inconclusive ||
         ((verdict == Verdict::failed || verdict == Verdict::incomparable) && !one_reason(chosen));
}

/// What follows the verdict's word; `chosen` holds the comparisons that have it.
Prose findings(const Report& report, Verdict verdict, const Chosen& chosen) {
  switch (verdict) {
    case Verdict::regressed:
      return moved(worst_of(chosen), true);
    case Verdict::improved:
      return moved(best_of(chosen), false);
    case Verdict::inconclusive:
      return inconclusive(worst_of(chosen));
    case Verdict::incomparable:
      return reasoned(chosen, "cannot be compared");
    case Verdict::missing:
      return {words(workloads_of(chosen) + " known to base only: "),
              name(chosen.front()->workload)};
    case Verdict::fresh:
      return fresh(report, chosen);
    case Verdict::unchanged:
      return unchanged(chosen);
    case Verdict::failed:
      return failed(chosen);
  }
  return {};
}

}  // namespace

Prose verdict_sentence(const Report& report) {
  const Verdict verdict = report.nothing_ran ? Verdict::failed : report.summary.verdict;
  const Chosen chosen = with_verdict(report, verdict);
  std::string word(to_string(verdict));
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  const Tone tone = verdict == Verdict::unchanged ? Tone::good : tone_of(verdict);
  Prose prose{{tone == Tone::plain ? Tone::strong : tone, word}, words(": ")};
  const bool speaks_without = verdict == Verdict::unchanged || verdict == Verdict::failed;
  if (chosen.empty() && !speaks_without) {  // a summary that counts nothing: a file from elsewhere
    prose.push_back(words("no comparison says why"));
    return prose;
  }
  append(prose, findings(report, verdict, chosen));
  append(prose, other_counts(report, verdict, names_one(verdict, chosen) ? 1 : chosen.size()));
  return prose;
}

}  // namespace perf::reporter
