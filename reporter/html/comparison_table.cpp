#include "reporter/html/comparison_table.h"

#include <map>
#include <utility>

#include "reporter/changed_rows.h"
#include "reporter/html/document.h"
#include "reporter/html/table.h"
#include "reporter/svg/interval_picture.h"
#include "reporter/wording.h"

namespace perf::reporter::html {
namespace {

constexpr std::size_t kPictureColumn = 5;  ///< beside the change

/// Where the details of each comparison stand.
std::map<const Comparison*, std::string> links(const std::vector<WorkloadGroup>& groups) {
  std::map<const Comparison*, std::string> ids;
  for (const WorkloadGroup& group : groups) {
    for (const Comparison* comparison : group.comparisons) {
      ids[comparison] = "#" + group.id;
    }
  }
  return ids;
}

/// What the columns of `comparison_row` are sorted by; a word has no number.
std::vector<std::optional<double>> sort_values(const Comparison& comparison) {
  std::optional<double> base, head;
  if (comparison.base) {
    base = comparison.base->median;
  }
  if (comparison.head) {
    head = comparison.head->median;
  }
  const double verdict = comparison.judged && comparison.verdict
                             ? static_cast<double>(*comparison.verdict)
                             : static_cast<double>(kVerdicts.size());
  return {std::nullopt, std::nullopt, base, head, comparison.change, comparison.pairs, verdict};
}

RowDress dress_of(const Comparison& comparison, const std::string& link, const svg::Axis& axis) {
  const std::string params = params_text(comparison.params);
  RowDress dress;
  dress.attributes = {
      {"data-name", comparison.workload + " " + comparison.metric.name + " " + params},
      {"data-state", state_of(comparison)}};
  dress.link = link;
  dress.values = sort_values(comparison);
  dress.picture = svg::interval_cell(comparison, axis);
  return dress;
}

TableDress table_dress(const svg::Axis& axis) {
  return {{{"class", "comparisons sortable"}}, kPictureColumn, svg::interval_scale(axis), {}};
}

/// Parameters tell rows of one workload apart.
void add_params(Row& row, const Comparison& comparison) {
  if (!comparison.params.empty() && !row.cells.empty()) {
    row.cells.front().push_back(words(" "));
    row.cells.front().push_back({Tone::dim, params_text(comparison.params)});
  }
}

}  // namespace

std::string changed_html(const Report& report, const std::vector<WorkloadGroup>& groups,
                         const svg::Axis& axis) {
  Section section = changed_section(report, kInFullBelow);
  if (section.table.rows.empty() && section.lines.empty()) {
    return {};
  }
  const std::map<const Comparison*, std::string> ids = links(groups);
  const std::vector<const Comparison*> rows = shown_changes(report);
  TableDress dress = table_dress(axis);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    add_params(section.table.rows[i], *rows[i]);
    dress.rows.push_back(dress_of(*rows[i], ids.at(rows[i]), axis));
  }
  return section_html(section, dress);
}

std::string everything_html(const Report& report, const std::vector<WorkloadGroup>& groups,
                            const svg::Axis& axis) {
  const std::map<const Comparison*, std::string> ids = links(groups);
  Section section;
  section.title = "All comparisons";
  section.table = full_table(report);
  TableDress dress = table_dress(axis);
  dress.attributes.emplace_back("data-filter", "comparisons");
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    const Comparison& comparison = report.comparisons[i];
    add_params(section.table.rows[i], comparison);
    dress.rows.push_back(dress_of(comparison, ids.at(&comparison), axis));
    std::vector<std::optional<double>>& values = dress.rows.back().values;
    values.insert(values.end() - 1, comparison.smallest_visible);
  }
  return section_html(section, dress);
}

}  // namespace perf::reporter::html
