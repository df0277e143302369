#include "reporter/remarks.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "reporter/explanations.h"
#include "reporter/quantity.h"
#include "reporter/sentences.h"
#include "reporter/sparkline.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr double kCarries = 0.10;        ///< share of the change from which a phase carries it
constexpr std::size_t kShownPhases = 3;  ///< more would bury the first
constexpr std::size_t kMostBlocks = 24;  ///< of a line of pairs: more would wrap

/// "86 %": shares of single phases may exceed the whole where others went the other way.
std::string share_text(double share) {
  return fixed(100 * share, 0) + " %";
}

bool moved(const Comparison& comparison) {
  return comparison.verdict == Verdict::regressed || comparison.verdict == Verdict::improved;
}

/// The phases that moved beyond chance and carry the step's change, the largest share first.
Prose phases_remark(const Comparison& comparison) {
  std::vector<const PhaseChange*> carriers;
  for (const PhaseChange& phase : comparison.phases) {
    if (phase.moved && phase.share && *phase.share >= kCarries) {
      carriers.push_back(&phase);
    }
  }
  std::stable_sort(
      carriers.begin(), carriers.end(),
      [](const PhaseChange* a, const PhaseChange* b) { return *a->share > *b->share; });
  carriers.resize(std::min(carriers.size(), kShownPhases));
  Prose prose;
  for (const PhaseChange* phase : carriers) {
    prose.push_back(words(prose.empty() ? "carried by " : "; "));
    prose.push_back(name(phase->name));
    prose.push_back(words(" "));
    prose.push_back(number(quantities(phase->base, phase->head, "s")));
    if (phase->change) {
      prose.push_back(words(", "));
      prose.push_back(number(change_text(*phase->change)));
    }
    prose.push_back(words(" ("));
    prose.push_back(number(share_text(*phase->share)));
    prose.push_back(words(phase == carriers.front() ? " of the change)" : ")"));
  }
  return prose;
}

/// Memory beside a change of time, unless it has a row of its own.
Prose memory_remark(const Comparison& comparison, const Report& report) {
  if (comparison.metric.name != kStepTime.name) {
    return {};
  }
  for (const Comparison& other : report.comparisons) {
    const bool memory = other.workload == comparison.workload && other.metric.name == kPeakRss.name;
    if (memory && other.head && other.change && other.verdict == Verdict::unchanged) {
      return {name(other.metric.name), words(" unchanged at "),
              number(quantity(other.head->median, other.metric.unit)), words(", "),
              number(change_text(*other.change))};
    }
  }
  return {};
}

/// "Certainly" is what the reader takes a verdict for; "probably" has to be said.
Prose probably_remark(const Comparison& comparison) {
  if (!moved(comparison) || comparison.certain || !comparison.interval) {
    return {};
  }
  return {words("probably beyond the threshold of "), number(threshold_phrase(comparison)),
          words(": the interval reaches below it")};
}

/// Each pair a block; of many, each group of neighbours, by its median.
Prose pairs_remark(const Comparison& comparison) {
  const GroupedValues pairs = grouped(comparison.pair_changes, kMostBlocks);
  const std::string line = sparkline(pairs.values);
  if (line.empty()) {
    return {};
  }
  const auto [low, high] = std::minmax_element(pairs.values.begin(), pairs.values.end());
  const bool single = pairs.group == 1;
  return {words(single ? "pair by pair "
                       : "medians of " + std::to_string(pairs.group) + " pairs each "),
          number(line),
          words(" from "),
          number(change_text(*low)),
          words(" to "),
          number(change_text(*high))};
}

Prose undecided_remark(const Comparison& comparison) {
  if (comparison.verdict != Verdict::inconclusive) {
    return {};
  }
  if (comparison.look == 0) {
    // Where the analyzer says why, its words are enough.
    const bool said = !comparison.warnings.empty() || !comparison.notes.empty();
    return said ? Prose{} : Prose{words("too few pairs for a verdict")};
  }
  Prose prose{words(comparison.pairs_needed
                        ? "would take about " + rough_count(*comparison.pairs_needed) + " pairs"
                        : "no number of pairs is known to settle it")};
  if (comparison.smallest_visible) {
    prose.push_back(words("; these see a change of "));
    prose.push_back(number(rough_percentage(*comparison.smallest_visible)));
    prose.push_back(words(" or more"));
  }
  return prose;
}

void keep_remark(std::vector<Prose>& remarks, Prose remark) {
  if (!remark.empty()) {
    remarks.push_back(std::move(remark));
  }
}

}  // namespace

std::vector<Prose> undrawn_remarks(const Comparison& comparison, const Report& report) {
  std::vector<Prose> remarks;
  keep_remark(remarks, undecided_remark(comparison));
  keep_remark(remarks, probably_remark(comparison));
  if (moved(comparison)) {
    keep_remark(remarks, layout_remark(comparison));
    keep_remark(remarks, phases_remark(comparison));
    keep_remark(remarks, functions_remark(comparison));
    keep_remark(remarks, memory_remark(comparison, report));
  }
  return remarks;
}

std::vector<Prose> measured_remarks(const Comparison& comparison, const Report& report) {
  std::vector<Prose> remarks = undrawn_remarks(comparison, report);
  if (moved(comparison) || comparison.verdict == Verdict::inconclusive) {
    keep_remark(remarks, pairs_remark(comparison));
  }
  return remarks;
}

std::vector<Prose> worded_remarks(const Comparison& comparison) {
  std::vector<Prose> reasons, warnings;
  for (const Warning& warning : comparison.warnings) {
    if (is_reason(comparison, warning)) {
      reasons.push_back({data(sentence(warning))});
    } else {
      warnings.push_back({Span{Tone::warn, "warning"}, words(": "), data(sentence(warning))});
    }
  }
  std::vector<Prose> remarks = std::move(reasons);
  for (const std::string& note : comparison.notes) {
    remarks.push_back({data(note)});  // one line, whatever its breaks: see common_failure
  }
  remarks.insert(remarks.end(), warnings.begin(), warnings.end());
  return remarks;
}

Prose check_remark(const CheckResult& check) {
  Prose prose{{Tone::bad, "wrong output"}, words(": check "), name(check.name)};
  const bool at_base_too = check.base == false && !newly_fails(check);
  prose.push_back(words(!check.base   ? " fails at head"
                        : at_base_too ? " fails at head and at base"
                        : *check.base ? " fails at head, not at base"
                                      : " fails at head, seldom at base"));
  if (check.error && check.tolerance) {
    prose.push_back(
        words(fmt::format(" (error {:.2g}, tolerance {:.2g})", *check.error, *check.tolerance)));
  }
  return prose;
}

}  // namespace perf::reporter
