#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/sentences.h"
#include "reporter/text/sparkline.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

constexpr double kCarries = 0.10;           ///< share of the change from which a phase carries it
constexpr std::size_t kShownPhases = 3;     ///< more would bury the first
constexpr std::size_t kShownFunctions = 3;  ///< likewise
constexpr std::size_t kMostBlocks = 24;     ///< of a line of pairs: more would wrap
constexpr int kSharedBy = 3;  ///< rows from which a common remark is said once for all
constexpr int kSaid = -1;     ///< in place of the number of rows

/// The phases that moved beyond chance and carry the step's change, the largest share first.
Prose phases_remark(const Comparison& comparison) {
  std::vector<PhaseChange> carriers;
  std::ranges::copy_if(comparison.phases, std::back_inserter(carriers), [](const auto& phase) {
    return phase.moved && phase.share && *phase.share >= kCarries;
  });
  std::ranges::stable_sort(carriers, std::ranges::greater(), &PhaseChange::share);
  carriers.resize(std::min(carriers.size(), kShownPhases));
  Prose prose;
  for (const PhaseChange& phase : carriers) {
    const bool first = prose.empty();
    append(prose, words(first ? "mostly in " : "; "), name(phase.name), " ",
           number(quantities(phase.base, phase.head, "s")));
    if (phase.change) {
      append(prose, ", ", number(change_text(*phase.change)));
    }
    // Shares of single phases may exceed the whole where others went the other way.
    append(prose, " (", number(fixed(100 * *phase.share, 0) + " %"),
           words(first ? " of the change)" : ")"));
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
      return {name(other.metric.name), " unchanged at ",
              number(quantity(other.head->median, other.metric.unit)), ", ",
              number(change_text(*other.change))};
    }
  }
  return {};
}

/// Readers take a verdict as certain; one that is only probable has this remark.
Prose probably_remark(const Comparison& comparison) {
  if (!is_change(comparison.verdict) || comparison.certain || !comparison.interval) {
    return {};
  }
  return {"probably beyond the threshold of ", number(threshold_phrase(comparison)),
          ": the interval reaches below it"};
}

/// Each pair a block; of many, each group of neighbours, by its median.
Prose pairs_remark(const Comparison& comparison) {
  const GroupedValues pairs = grouped(comparison.pair_changes, kMostBlocks);
  const std::string line = sparkline(pairs.values);
  if (line.empty()) {
    return {};
  }
  const auto [low, high] = std::ranges::minmax(pairs.values);
  const std::string what = pairs.group == 1
                               ? "pair by pair "
                               : "medians of " + std::to_string(pairs.group) + " pairs each ";
  return {words(what), number(line),
          " from ",    number(change_text(low)),
          " to ",      number(change_text(high))};
}

Prose undecided_remark(const Comparison& comparison) {
  if (comparison.verdict != Verdict::inconclusive) {
    return {};
  }
  if (comparison.look == 0) {
    // Where the analyzer says why, its words are enough.
    const bool said = !comparison.warnings.empty() || !comparison.notes.empty();
    return said ? Prose{} : Prose{"too few pairs for a verdict"};
  }
  Prose prose{words(comparison.pairs_needed
                        ? "needs about " + rough_count(*comparison.pairs_needed) + " pairs"
                        : "the number of pairs needed is unknown")};
  if (comparison.smallest_visible) {
    append(prose, "; smallest visible change ",
           number(rough_percentage(*comparison.smallest_visible)));
  }
  return prose;
}

std::string plain_text(const Prose& prose) {
  return perf::joined(prose, "", &Span::text);
}

}  // namespace

std::string share_text(double share) {
  return fixed(100 * share, 1) + " %";
}

Prose functions_remark(const Comparison& comparison) {
  Prose prose;
  const std::size_t shown = std::min(comparison.functions.size(), kShownFunctions);
  for (std::size_t i = 0; i < shown; ++i) {
    const FunctionChange& function = comparison.functions[i];
    append(prose, words(i == 0 ? "functions whose share moved: " : "; "), name(function.name), " ",
           number(share_text(function.base_share) + " -> " + share_text(function.head_share)));
    if (function.base_seconds && function.head_seconds) {
      append(prose, " (", number(quantities(*function.base_seconds, *function.head_seconds, "s")),
             ")");
    }
  }
  if (comparison.functions.size() > shown) {
    prose.push_back(words("; " + std::to_string(comparison.functions.size() - shown) + " more"));
  }
  return prose;
}

Prose layout_remark(const Comparison& comparison) {
  if (!comparison.layout || comparison.layout->label.empty()) {
    return {};
  }
  const LayoutEffect& layout = *comparison.layout;
  Prose prose{warn(layout.label), ": the hot code is the same at base and head"};
  if (layout.builds == 0) {
    prose.push_back(", and the build ignores layout seeds");
    return prose;
  }
  prose.push_back(words("; relinked " + counted(layout.builds, "time")));
  if (layout.change) {
    append(prose, ", the change is ", number(change_text(*layout.change, layout.interval)));
  }
  return prose;
}

std::vector<Prose> undrawn_remarks(const Comparison& comparison, const Report& report) {
  std::vector<Prose> remarks;
  keep(remarks, undecided_remark(comparison));
  keep(remarks, probably_remark(comparison));
  if (is_change(comparison.verdict)) {
    keep(remarks, layout_remark(comparison));
    keep(remarks, phases_remark(comparison));
    keep(remarks, functions_remark(comparison));
    keep(remarks, memory_remark(comparison, report));
  }
  return remarks;
}

std::vector<Prose> measured_remarks(const Comparison& comparison, const Report& report) {
  std::vector<Prose> remarks = undrawn_remarks(comparison, report);
  if (is_change(comparison.verdict) || comparison.verdict == Verdict::inconclusive) {
    keep(remarks, pairs_remark(comparison));
  }
  return remarks;
}

std::vector<Prose> worded_remarks(const Comparison& comparison) {
  std::vector<Prose> remarks, warnings;
  for (const Warning& warning : comparison.warnings) {
    if (is_reason(comparison, warning)) {
      remarks.push_back({data(sentence(warning))});
    } else {
      warnings.push_back(warning_line(warning));
    }
  }
  for (const Warning& note : comparison.notes) {
    remarks.push_back({data(sentence(note))});  // one line, whatever its breaks: see common_failure
  }
  append(remarks, std::move(warnings));
  return remarks;
}

Prose warning_line(const Warning& warning) {
  return {warn("warning"), ": ", data(sentence(warning))};
}

std::string failing_runs(const CheckResult& runs) {
  return fmt::format("{} of {} runs at head, {} of {} at base", runs.head_failed, runs.head_runs,
                     runs.base_failed, runs.base_runs);
}

Prose check_remark(const CheckResult& check) {
  if (check.name == kRunsEndWell) {
    return {bad("failing runs"), words(": " + failing_runs(check))};
  }
  Prose prose{bad("wrong output"), ": check ", name(check.name)};
  const bool at_base_too = check.base == false && !newly_fails(check);
  prose.push_back(words(!check.base   ? " fails at head"
                        : at_base_too ? " fails at head and at base"
                        : *check.base ? " fails at head, not at base"
                                      : " fails at head, rarely at base"));
  if (check.error && check.tolerance) {
    prose.push_back(
        words(fmt::format(" (error {:.2g}, tolerance {:.2g})", *check.error, *check.tolerance)));
  }
  return prose;
}

std::vector<Prose> take_shared_remarks(std::vector<Row>& rows) {
  std::map<std::string, int> counts;
  for (const Row& row : rows) {
    for (const Prose& remark : row.remarks) {
      ++counts[plain_text(remark)];
    }
  }
  std::vector<Prose> lines;
  for (Row& row : rows) {
    std::vector<Prose> own;
    for (Prose& remark : row.remarks) {
      int& count = counts[plain_text(remark)];
      if (count >= kSharedBy) {
        lines.push_back(joined(words(std::to_string(count) + " rows: "), remark));
        count = kSaid;
      } else if (count != kSaid) {
        own.push_back(std::move(remark));
      }
    }
    row.remarks = std::move(own);
  }
  return lines;
}

}  // namespace perf::reporter
