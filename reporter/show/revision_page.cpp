#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reporter/pages.h"
#include "reporter/show/run_phrases.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

template <typename Member>
bool differs(const std::vector<ShownMetric>& series, Member member) {
  return std::ranges::any_of(
      series, [&](const ShownMetric& one) { return one.*member != series.front().*member; });
}

/// What distinguishes the rows beside workload and metric.
struct Distinctions {
  bool sizes = false, machines = false;
  std::set<std::string> varied{};  ///< workloads that were run with several sets of parameters
  std::map<std::string, Params> common{};  ///< of a workload: what is alike in all of its sets
  bool benchmarks = false;                 ///< what a config brought from outside differs
};

Distinctions distinctions_of(const std::vector<ShownMetric>& all) {
  Distinctions found{differs(all, &ShownMetric::size), differs(all, &ShownMetric::fingerprint)};
  found.benchmarks = differs(all, &ShownMetric::outside);
  for (const ShownMetric& one : all) {
    Params& common = found.common.try_emplace(one.workload, one.params).first->second;
    if (common != one.params) {
      found.varied.insert(one.workload);
    }
    keep_common(one.params, common);
  }
  return found;
}

std::vector<Column> columns_of(const Distinctions& distinctions) {
  std::vector<Column> columns{"workload", "metric"};
  if (distinctions.sizes) {
    columns.push_back("size");
  }
  if (distinctions.machines) {
    columns.push_back("machine");
  }
  for (const char* title : {"median", "noise", "processes", "runs"}) {
    columns.push_back(right(title));
  }
  return columns;
}

/// "`parser`"; where it was run with several sets of them, "`parser` (n=4)", "`parser` (no
/// parameters)"; of several benchmarks, "`parser` (benchmark 3f2a9c01)".
Prose workload_of(const ShownMetric& one, const Distinctions& distinctions) {
  Prose phrase{name(one.workload)};
  const Params own = differing(one.params, distinctions.common.at(one.workload));
  if (distinctions.varied.count(one.workload) > 0 && (!own.empty() || one.params.empty())) {
    const Span params = own.empty() ? words("no parameters") : data(params_text(own));
    append(phrase, words(" ("), params, words(")"));
  }
  if (distinctions.benchmarks) {
    append(phrase, words(" (" + benchmark_text(one.outside) + ")"));
  }
  return phrase;
}

Row row_of(const ShownMetric& one, const Distinctions& distinctions) {
  Row row{.cells = {workload_of(one, distinctions), {name(one.metric.name)}}};
  if (distinctions.sizes) {
    row.cells.push_back({data(one.size)});
  }
  if (distinctions.machines) {
    row.cells.push_back({data(one.fingerprint.substr(0, kShownId))});
  }
  append(row.cells, {{number(quantity(one.median, one.metric.unit))},
                     {number(one.noise ? rough_percentage(*one.noise) : "-")},
                     {number(std::to_string(one.processes))},
                     {number(std::to_string(one.runs))}});
  return row;
}

Section measured(const RevisionView& view) {
  Section section;
  if (view.series.empty()) {
    section.lines.push_back({"no measurements of this revision are stored"});
    return section;
  }
  const Distinctions distinctions = distinctions_of(view.series);
  section.table.columns = columns_of(distinctions);
  for (const ShownMetric& one : view.series) {
    section.table.rows.push_back(row_of(one, distinctions));
  }
  section.lines.push_back(
      {dim("median over the processes of all runs; noise: robust standard deviation, 1.4826 MAD")});
  if (distinctions.benchmarks) {
    section.lines.push_back(
        {dim("benchmark: files that the config takes from outside the repository; they changed, or "
             "values were imported")});
  }
  return section;
}

}  // namespace

Document page_of(const RevisionView& view) {
  const std::string shown = counted(view.runs.size(), "run has it", "runs have it");
  const std::string older = view.more ? "; older ones are left out" : "";
  return {.headline = {joined(strong("Revision "), "", commit_phrase(view.revision))},
          .sections = {measured(view),
                       {.table = run_table(view.runs),
                        .lines = {{words(shown + " on either side" + older)}}}}};
}

}  // namespace perf::reporter
