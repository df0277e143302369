#include <utility>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

/// A comparison as its row shows it.
struct Shown {
  const Comparison& comparison;
  Prose workload;
  Scale scale;  ///< of both sides
};

Prose side_cell(const std::optional<SideStats>& side, const Scale& scale) {
  return {number(side ? scaled(side->median, scale) : "-")};
}

/// The columns of the table, with the cell of a row in each.
const std::vector<std::pair<Column, Prose (*)(const Shown&)>>& columns() {
  using Of = const Shown&;
  static const std::vector<std::pair<Column, Prose (*)(Of)>> all{
      {"workload", [](Of shown) { return shown.workload; }},
      {"metric", [](Of shown) { return Prose{name(shown.comparison.metric.name)}; }},
      {right("base"), [](Of shown) { return side_cell(shown.comparison.base, shown.scale); }},
      {right("head"), [](Of shown) { return side_cell(shown.comparison.head, shown.scale); }},
      {"change", [](Of shown) { return Prose{number(change_cell(shown.comparison))}; }},
      {right("pairs"),
       [](Of shown) {
         const auto pairs = shown.comparison.pairs;
         return Prose{number(pairs > 0 ? std::to_string(pairs) : "-")};
       }},
      {"verdict", [](Of shown) { return verdict_cell(shown.comparison); }},
  };
  return all;
}

}  // namespace

std::string state_of(const Comparison& comparison) {
  const std::optional<Verdict> verdict = verdict_of(comparison);
  return verdict ? std::string(to_string(*verdict)) : "not judged";
}

Prose verdict_cell(const Comparison& comparison) {
  const std::optional<Verdict> verdict = verdict_of(comparison);
  return {{verdict ? tone_of(*verdict) : Tone::dim, state_of(comparison)}};
}

std::vector<Column> comparison_columns() {
  return mapped(columns(), [](const auto& column) { return column.first; });
}

Row comparison_row(const Comparison& comparison, const std::string& params) {
  const Prose called = params.empty() ? Prose{name(comparison.workload)}
                                      : joined(name(comparison.workload), " (", data(params), ")");
  const double base = comparison.base   ? comparison.base->median
                      : comparison.head ? comparison.head->median
                                        : 0;
  const double head = comparison.head ? comparison.head->median : base;
  const Shown shown{comparison, called, scale_for(base, head, comparison.metric.unit)};
  return {mapped(columns(), [&](const auto& column) { return column.second(shown); }),
          joined(called, " ", name(comparison.metric.name))};
}

void drop_idle_columns(const Report& report, Table& table) {
  if (std::ranges::none_of(report.comparisons,
                           [](const Comparison& one) { return one.pairs > 0; })) {
    erase_column(table, "pairs");
  }
  if (!is_judged_elsewhere(report)) {
    return;
  }
  if (std::ranges::all_of(report.comparisons, [](const Comparison& one) {
        return one.metric.name == kStepTime.name;
      })) {
    erase_column(table, "metric");
  }
  if (report.head.kind == SideKind::files) {
    column_named(table, "workload").title = "benchmark";
  }
}

Table full_table(const Report& report) {
  Table table{comparison_columns(), {}};
  std::vector<Prose> smallest;
  const std::optional<CommonFailure> failure = common_failure(report);
  const auto params = distinguishing_params(report);
  for (const Comparison& comparison : report.comparisons) {
    Row row = comparison_row(comparison, params.at(&comparison));
    smallest.push_back({number(
        comparison.smallest_visible ? rough_percentage(*comparison.smallest_visible) : "-")});
    row.remarks = own_words(comparison, {}, failure);
    keep(row.remarks, warmup_remark(comparison));
    table.rows.push_back(std::move(row));
  }
  insert_column(table, "verdict", right("smallest visible"), std::move(smallest));
  drop_idle_columns(report, table);
  return table;
}

}  // namespace perf::reporter
