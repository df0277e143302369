#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

/// "2 regressed, 5 unchanged", worst first.
Prose counts_line(const std::vector<Comparison>& cases) {
  Prose line;
  for (const Verdict verdict : kVerdicts) {
    if (const auto count = std::ranges::count(cases, verdict, &Comparison::verdict); count > 0) {
      line.push_back(words(line.empty() ? "" : ", "));
      line.push_back(
          {tone_of(verdict), std::to_string(count) + " " + std::string(to_string(verdict))});
    }
  }
  return line.empty() ? Prose{"no cases"} : line;
}

/// "; undecided, but BenchmarkParse is 7.0 times slower": the worst large change that is
/// not proven.
Prose undecided_phrase(const std::vector<Comparison>& cases) {
  const Comparison* worst = nullptr;
  for (const Comparison& one : cases) {
    const bool goes_beyond =
        one.verdict == Verdict::inconclusive && badness(one) >= std::log1p(one.threshold);
    if (goes_beyond && (worst == nullptr || badness(one) > badness(*worst))) {
      worst = &one;
    }
  }
  if (worst == nullptr || !worst->change) {
    return {};
  }
  const double factor = 1 + *worst->change;
  return {"; undecided, but ", name(worst->workload), " is ",
          number(factor >= 2 ? fixed(factor, 1) + " times" : percent(std::abs(*worst->change))),
          words(" " + direction_word(worst->metric, *worst->change))};
}

/// What all names begin with, up to a border within them, where it is long enough to be worth
/// saying once.
std::string common_beginning(const std::vector<Comparison>& cases) {
  constexpr std::size_t kShortest = 8;
  if (cases.size() < 3) {
    return {};
  }
  std::string_view common = cases.front().workload;
  for (const Comparison& one : cases) {
    const auto differ = std::ranges::mismatch(common, one.workload);
    common = common.substr(0, static_cast<std::size_t>(differ.in1 - common.begin()));
  }
  const std::size_t border = common.find_last_of("/=");
  return border == std::string_view::npos || border + 1 < kShortest
             ? std::string()
             : std::string(common.substr(0, border + 1));
}

Mood mood_of(const std::vector<Comparison>& cases) {
  const auto any = [&cases](Verdict verdict) {
    return std::ranges::find(cases, verdict, &Comparison::verdict) != cases.end();
  };
  return any(Verdict::regressed) || any(Verdict::failed) ? Mood::bad
         : cases.empty() || any(Verdict::inconclusive) || any(Verdict::incomparable) ||
                 any(Verdict::missing)
             ? Mood::unsettled
             : Mood::good;
}

}  // namespace

Document page_of(const std::vector<Comparison>& cases) {
  Table table{comparison_columns(), {}};
  const std::string beginning = common_beginning(cases);
  for (const Comparison& one : cases) {
    Comparison shown = one;
    shown.workload.erase(0, beginning.size());
    Row row = comparison_row(shown);
    row.remarks = measured_remarks(one, {});
    append(row.remarks, worded_remarks(one));
    table.rows.push_back(std::move(row));
  }
  if (std::ranges::all_of(
          cases, [](const Comparison& one) { return one.metric.name == kStepTime.name; })) {
    erase_column(table, "metric");
  }
  if (std::ranges::all_of(cases, [](const Comparison& one) { return one.pairs == 0; })) {
    erase_column(table, "pairs");  // files of sessions have no pairs: more room for names
  }
  column_named(table, "workload").title = "case";
  Section section{.table = std::move(table)};
  if (!beginning.empty()) {
    section.lines.push_back({"every case begins with ", name(beginning)});
  }
  append(section.lines, take_shared_remarks(section.table.rows));
  Document document{mood_of(cases), {joined(counts_line(cases), undecided_phrase(cases))}};
  keep(document.sections, std::move(section));
  return document;
}

}  // namespace perf::reporter
