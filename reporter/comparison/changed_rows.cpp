#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

constexpr double kMuchLonger = 0.5;  ///< relative to the steady state
constexpr double kMuchShorter = -1.0 / 3;

constexpr std::size_t kShownOpen = 8;  ///< inconclusive rows that are shown; the rest is counted
/// Rows of a report of files, which no command shows again: also unchanged ones.
constexpr std::size_t kShownOfFiles = 40;

bool has_failing_check(const Comparison& comparison) {
  return std::ranges::any_of(comparison.checks, fails);
}

/// Where a row stands: what is settled before what is open. Rows that are here only for a failing
/// check come last.
int rank_of(const Comparison& comparison) {
  const Verdict verdict = verdict_of(comparison).value_or(Verdict::unchanged);
  return static_cast<int>(verdict == Verdict::improved ? Verdict::failed : verdict);
}

/// The order within a verdict. Of what files leave open, only large changes leave their place.
double weight_of(const Comparison& comparison) {
  const double weight = badness(comparison);
  const bool is_noise = comparison.verdict == Verdict::inconclusive && comparison.pairs == 0 &&
                        weight < std::log1p(comparison.threshold);
  return comparison.verdict == Verdict::improved ? -weight : is_noise ? 0 : weight;
}

/// One whose absence is counted: it is open, and no check of it fails.
bool may_be_omitted(const Comparison& comparison) {
  return comparison.verdict == Verdict::inconclusive && !has_failing_check(comparison);
}

/// "12 more inconclusive: about 260 to 3,600 pairs needed (in full below)".
Prose left_out_line(const std::vector<const Comparison*>& left_out, const std::string& in_full) {
  if (left_out.empty()) {
    return {};
  }
  std::vector<double> needed;
  for (const Comparison* comparison : left_out) {
    if (comparison->pairs_needed) {
      needed.push_back(*comparison->pairs_needed);
    }
  }
  Prose line{strong(std::to_string(left_out.size()) + " more inconclusive")};
  if (!needed.empty()) {
    const auto [least, most] = std::ranges::minmax(needed);
    const std::string low = rough_count(least), high = rough_count(most);
    line.push_back(words(": about " + low + (low == high ? "" : " to " + high) + " pairs needed"));
  }
  line.push_back(words(" (" + in_full + ")"));
  return line;
}

/// What the names of a report of files begin with, up to a border within them, where it is long
/// enough to be worth saying once.
std::string common_beginning(const Report& report, const std::vector<const Comparison*>& rows) {
  constexpr std::size_t kShortest = 8, kFewest = 3;
  if (!is_judged_elsewhere(report) || rows.size() < kFewest) {
    return {};
  }
  std::string_view common = rows.front()->workload;
  for (const Comparison* one : rows) {
    const auto differ = std::ranges::mismatch(common, one->workload);
    common = common.substr(0, static_cast<std::size_t>(differ.in1 - common.begin()));
  }
  const std::size_t border = common.find_last_of("/=");
  return border == std::string_view::npos || border + 1 < kShortest
             ? std::string()
             : std::string(common.substr(0, border + 1));
}

/// Adds a note's lines that are not empty: what a program said is kept with its line breaks.
void add_lines(std::string_view note, std::vector<std::string>& lines) {
  while (!note.empty()) {
    if (const std::string_view line = take_line(note); !line.empty()) {
      lines.emplace_back(line);
    }
  }
}

}  // namespace

std::vector<Prose> own_words(const Comparison& comparison, const SharedWarnings& shared,
                             const std::optional<CommonFailure>& failure) {
  Comparison own = comparison;
  const bool in_headline = failure && comparison.verdict == Verdict::failed;
  if (in_headline && !failure->output.empty()) {
    own.notes.clear();
  }
  std::erase_if(own.notes, [&](const Warning& note) { return shared.has(comparison, note); });
  std::erase_if(own.warnings, [&](const Warning& warning) {
    return (in_headline && sentence(warning) == failure->reason) || shared.has(comparison, warning);
  });
  return worded_remarks(own);
}

std::vector<const Comparison*> changed_comparisons(const Report& report) {
  std::vector<const Comparison*> rows;
  std::set<std::string> shown_for_checks;
  for (const Comparison& comparison : report.comparisons) {
    const bool changed = verdict_of(comparison).value_or(Verdict::unchanged) != Verdict::unchanged;
    // Every metric of a workload repeats its checks: one row shows them.
    const bool first_failing =
        has_failing_check(comparison) && shown_for_checks.insert(comparison.workload).second;
    if (changed || first_failing) {
      rows.push_back(&comparison);
    }
  }
  std::ranges::stable_sort(rows, [](const Comparison* a, const Comparison* b) {
    if (rank_of(*a) != rank_of(*b)) {
      return rank_of(*a) < rank_of(*b);
    }
    if (a->verdict != b->verdict) {  // failed before improved
      return a->verdict < b->verdict;
    }
    return weight_of(*a) > weight_of(*b);
  });
  return rows;
}

std::vector<const Comparison*> shown_changes(const Report& report,
                                             std::vector<const Comparison*>* left_out) {
  std::vector<const Comparison*> rows;
  const bool elsewhere = is_judged_elsewhere(report);
  std::size_t open = 0;
  for (const Comparison* comparison : changed_comparisons(report)) {
    if (!may_be_omitted(*comparison) || ++open <= (elsewhere ? kShownOfFiles : kShownOpen)) {
      rows.push_back(comparison);
    } else if (left_out != nullptr) {
      left_out->push_back(comparison);
    }
  }
  for (const Comparison* comparison : with_verdict(report, Verdict::unchanged)) {
    if (elsewhere && rows.size() < kShownOfFiles && !has_failing_check(*comparison)) {
      rows.push_back(comparison);
    }
  }
  return rows;
}

Section changed_section(const Report& report, const std::string& in_full) {
  Section section{.title = is_judged_elsewhere(report) ? "Verdicts" : "What changed",
                  .table = {.columns = comparison_columns()},
                  .part = Part::changed};
  const SharedWarnings shared(report);
  const std::optional<CommonFailure> failure = common_failure(report);
  std::vector<const Comparison*> left_out;
  const std::vector<const Comparison*> shown = shown_changes(report, &left_out);
  std::set<std::string> checked;
  const auto params = distinguishing_params(report);
  const std::string beginning = common_beginning(report, shown);
  if (!beginning.empty()) {
    section.lines.push_back({"every name begins with ", name(beginning)});
  }
  for (const Comparison* comparison : shown) {
    Comparison named = *comparison;
    named.workload.erase(0, beginning.size());
    Row row = comparison_row(named, params.at(comparison));
    row.remarks = measured_remarks(*comparison, report);
    if (checked.insert(comparison->workload).second) {
      for (const CheckResult& check : comparison->checks) {
        if (fails(check)) {
          row.remarks.push_back(check_remark(check));
        }
      }
    }
    append(row.remarks, own_words(*comparison, shared, failure));
    section.table.rows.push_back(std::move(row));
  }
  drop_idle_columns(report, section.table);
  keep(section.lines, left_out_line(left_out, in_full));
  append(section.lines, take_shared_remarks(section.table.rows));
  if (failure) {
    for (const std::string& line : failure->output) {
      section.lines.push_back({data(line)});
    }
  }
  return section;
}

std::vector<WorkloadCheck> checks_of(const Report& report, bool (*is_wanted)(const CheckResult&)) {
  std::vector<WorkloadCheck> checks;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Comparison& comparison : report.comparisons) {
    for (const CheckResult& check : comparison.checks) {
      if (is_wanted(check) && seen.emplace(comparison.workload, check.name).second) {
        checks.push_back({comparison.workload, check});
      }
    }
  }
  return checks;
}

std::optional<CommonFailure> common_failure(const Report& report) {
  const std::vector<const Comparison*> rows = with_verdict(report, Verdict::failed);
  const bool is_headline = report.nothing_ran || report.summary.verdict == Verdict::failed;
  if (!is_headline || !one_reason(rows)) {
    return std::nullopt;
  }
  CommonFailure failure{reason_of(*rows.front()), rows.size(), {}};
  const std::vector<Warning>& notes = rows.front()->notes;
  if (std::ranges::all_of(rows, [&](const Comparison* row) { return row->notes == notes; })) {
    for (const Warning& note : notes) {
      add_lines(sentence(note), failure.output);
    }
  }
  return failure;
}

Prose warmup_remark(const Comparison& comparison) {
  if (!comparison.warmup || !comparison.warmup->change) {
    return {};
  }
  const WarmupBenefit& warmup = *comparison.warmup;
  const double change = *warmup.change;
  if (kMuchShorter < change && change < kMuchLonger) {
    return {};
  }
  return {"first step ",  number(quantity(warmup.first, "s")),
          ", ",           number(fixed(1 + change, 1) + " times"),
          " the steady ", number(quantity(warmup.steady, "s"))};
}

}  // namespace perf::reporter
