#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/html/document.h"
#include "reporter/pages.h"
#include "reporter/render.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf {
namespace reporter::html {

std::vector<WorkloadGroup> workload_groups(const Report& report,
                                           const std::vector<MeasuredWorkload>& measured) {
  using Key = std::pair<std::string, Params>;
  std::map<Key, const MeasuredWorkload*> known;
  for (const MeasuredWorkload& one : measured) {
    known[{one.workload, one.params}] = &one;
  }
  std::vector<WorkloadGroup> groups;
  std::map<Key, std::size_t> places;
  for (const Comparison& comparison : report.comparisons) {
    const Key key{comparison.workload, comparison.params};
    const auto [place, is_first] = places.emplace(key, groups.size());
    if (is_first) {
      const auto found = known.find(key);
      groups.push_back({"w" + std::to_string(groups.size() + 1),
                        {},
                        found == known.end() ? nullptr : found->second});
    }
    groups[place->second].comparisons.push_back(&comparison);
  }
  return groups;
}

namespace {

/// Where the details of each comparison stand.
using Links = std::map<const Comparison*, std::string>;

Links links_of(const std::vector<WorkloadGroup>& groups) {
  Links links;
  for (const WorkloadGroup& group : groups) {
    for (const Comparison* comparison : group.comparisons) {
      links[comparison] = "#" + group.id;
    }
  }
  return links;
}

/// What columns are sorted by, where it is not their text.
std::map<std::string, std::optional<double>> sort_values(const Comparison& comparison) {
  const auto median_of = [](const std::optional<SideStats>& side) {
    return side ? std::optional(side->median) : std::nullopt;
  };
  const std::optional<Verdict> verdict = verdict_of(comparison);
  const std::size_t rank = verdict ? static_cast<std::size_t>(*verdict) : kVerdicts.size();
  return {{"base", median_of(comparison.base)},
          {"head", median_of(comparison.head)},
          {"change", comparison.change},
          {"pairs", comparison.pairs},
          {"smallest visible", comparison.smallest_visible},
          {"verdict", static_cast<double>(rank)}};
}

RowDress dress_of(const Comparison& comparison, const std::string& link, const svg::Axis& axis) {
  const std::string params = params_text(comparison.params);
  const std::string name = comparison.workload + " " + comparison.metric.name + " " + params;
  return {.attributes = {{"data-name", name}, {"data-state", state_of(comparison)}},
          .link = link,
          .values = sort_values(comparison),
          .picture = svg::interval_cell(comparison, axis)};
}

TableDress table_dress(const Table& table, const svg::Axis& axis) {
  return {{{"class", "comparisons sortable"}},
          table.columns.at(place_of(table, "change") + 1).title,
          svg::interval_scale(axis),
          {}};
}

/// What changed: the rows of its section, each with its interval against its threshold and a link
/// to its details.
std::string changed_html(Section section, const Report& report, const Links& links,
                         const svg::Axis& axis) {
  const std::vector<const Comparison*> rows = shown_changes(report);
  TableDress dress = table_dress(section.table, axis);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    dress.rows.push_back(dress_of(*rows[i], links.at(rows[i]), axis));
  }
  return section_html(section, dress);
}

/// Every comparison, to be sorted by any column and filtered by name and verdict.
std::string everything_html(Section section, const Report& report, const Links& links,
                            const svg::Axis& axis) {
  section.folded = false;
  TableDress dress = table_dress(section.table, axis);
  dress.attributes.emplace_back("data-filter", "comparisons");
  for (std::size_t i = 0; i < report.comparisons.size(); ++i) {
    const Comparison& comparison = report.comparisons[i];
    dress.rows.push_back(dress_of(comparison, links.at(&comparison), axis));
  }
  return section_html(section, dress);
}

/// Whether the eye should go there: a row regressed, improved, failed or is inconclusive.
bool is_changed(const WorkloadGroup& group) {
  constexpr Verdict kChanged[] = {Verdict::regressed, Verdict::improved, Verdict::failed,
                                  Verdict::inconclusive};
  return std::ranges::any_of(group.comparisons, [&](const auto* row) {
    return std::ranges::find(kChanged, verdict_of(*row)) != std::end(kChanged);
  });
}

constexpr int kMostOpen = 3;  ///< workloads unfolded from the start

std::string sizes_html(const Report& report) {
  const std::string pictures =
      perf::joined(svg::ratio_sets(report.comparisons), "", [](const auto& lines) {
        return element("div", {{"class", "scroll"}}, svg::ratio_picture(lines)) + "\n";
      });
  return pictures.empty() ? pictures
                          : "<section><h2>Over the sizes</h2>\n" + pictures + "</section>\n";
}

/// The raw steps of what changed are seen without a click, unless there is much of it.
std::string workloads_html(const Report& report, const std::vector<WorkloadGroup>& groups) {
  const bool opens = std::ranges::count_if(groups, is_changed) <= kMostOpen;
  const std::string html = perf::joined(groups, "", [&](const WorkloadGroup& group) {
    return workload_details(group, report, opens && is_changed(group));
  });
  return html.empty() ? html : "<section><h2>Workloads in full</h2>\n" + html + "</section>\n";
}

std::string footer_html(const Report& report) {
  return text_element("footer", {},
                      "perf-compare " + report.tool_version + ", report " + report.id + ", " +
                          report.generated_at) +
         "\n";
}

/// The body of the page, in the order of its document, which every report has; what changed with
/// its intervals, and every comparison and workload in full.
std::string comparison_body(const Document& document, const Report& report,
                            const std::vector<MeasuredWorkload>& measured) {
  const std::vector<WorkloadGroup> groups = workload_groups(report, measured);
  const Links links = links_of(groups);
  const svg::Axis axis = svg::cell_axis(report.comparisons);
  std::string body = headline_html(document);
  for (const Section& section : document.sections) {
    switch (section.part) {
      case Part::changed:
        body += changed_html(section, report, links, axis);
        break;
      case Part::everything:
        body += sizes_html(report) + everything_html(section, report, links, axis) +
                workloads_html(report, groups);
        break;
      case Part::other:
        body += section_html(section);
        break;
    }
  }
  return body + footer_html(report);
}

}  // namespace
}  // namespace reporter::html

std::string render_html(const Report& report, const std::vector<MeasuredWorkload>& measured) {
  using namespace reporter;
  const Document document = page_of(report, kInFullBelow);
  return html::page(html::page_title(document), html::comparison_body(document, report, measured));
}

}  // namespace perf
