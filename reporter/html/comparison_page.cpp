#include "reporter/html/comparison_page.h"

#include <algorithm>

#include "reporter/html/comparison_table.h"
#include "reporter/html/document.h"
#include "reporter/html/element.h"
#include "reporter/html/workload_details.h"
#include "reporter/html/workload_group.h"
#include "reporter/svg/interval_picture.h"
#include "reporter/svg/ratio_picture.h"

namespace perf::reporter::html {
namespace {

constexpr int kMostOpen = 3;  ///< workloads unfolded from the start

std::string sizes_html(const Report& report) {
  std::string pictures;
  for (const std::vector<svg::RatioLine>& lines : svg::ratio_sets(report.comparisons)) {
    pictures += element("div", {{"class", "scroll"}}, svg::ratio_picture(lines)) + "\n";
  }
  return pictures.empty() ? pictures
                          : "<section><h2>Over the sizes</h2>\n" + pictures + "</section>\n";
}

/// The raw steps of what changed are seen without a click, unless there is much of it.
std::string workloads_html(const Report& report, const std::vector<WorkloadGroup>& groups) {
  const bool opens = std::count_if(groups.begin(), groups.end(), is_changed) <= kMostOpen;
  std::string html;
  for (const WorkloadGroup& group : groups) {
    html += workload_details(group, report, opens && is_changed(group));
  }
  return html.empty() ? html : "<section><h2>Workloads in full</h2>\n" + html + "</section>\n";
}

std::string footer_html(const Report& report) {
  return text_element("footer", {},
                      "perf-compare " + report.tool_version + ", report " + report.id + ", " +
                          report.generated_at) +
         "\n";
}

}  // namespace

std::string comparison_body(const Document& document, const Report& report,
                            const std::vector<MeasuredWorkload>& measured) {
  const std::vector<WorkloadGroup> groups = workload_groups(report, measured);
  const svg::Axis axis = svg::cell_axis(report.comparisons);
  std::string body = headline_html(document);
  for (const Section& section : document.sections) {
    switch (section.part) {
      case Part::changed:
        body += changed_html(report, groups, axis);
        break;
      case Part::everything:
        body += sizes_html(report) + everything_html(report, groups, axis) +
                workloads_html(report, groups);
        break;
      case Part::other:
        body += section_html(section);
        break;
    }
  }
  return body + footer_html(report);
}

}  // namespace perf::reporter::html
