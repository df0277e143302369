#include <string>

#include "reporter/html/document.h"
#include "reporter/html/page.h"
#include "reporter/html/trend_alerts.h"
#include "reporter/html/trend_series_list.h"
#include "reporter/render.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/histories.h"
#include "reporter/layout.h"

namespace perf {
namespace {

/// What the marks of the pictures mean.
const char* const kHowToRead =
    "<details class=\"how-to-read\"><summary>How to read the pictures</summary>\n"
    "<p>To the right the line of commits, upwards the values: a dot a commit, where there are more "
    "than fit a stroke from the lowest to the highest of those side by side. A dark line is a "
    "level "
    "between two steps, the band around it what noise does to 19 of 20 points. A triangle is a "
    "step "
    "for the worse, pointing where the value went, a circle one for the better, a square a step "
    "that "
    "a machine event explains, a diamond a suspect, a small hollow circle a refuted alert; what is "
    "filled is new. Gray bands are machine events, dashed lines baselines and changes of machine, "
    "pale dots what other machines measured, a dashed curve a slope. Small triangles at the border "
    "are values beyond it.</p>\n</details>\n";

}  // namespace

std::string render_trend_html(const TrendReport& report) {
  using namespace reporter;
  const Document document = lay_out_around_pictures(report);
  const std::vector<reporter::Finding> findings = findings_of(report);
  const Histories histories(report);
  std::string body = html::headline_html(document) + html::alert_articles(histories, findings);
  bool listed = false;
  for (const Section& section : document.sections) {
    if (section.folded && !listed) {
      body += html::series_list(histories, findings) + (report.series.empty() ? "" : kHowToRead);
      listed = true;
    }
    body += html::section_html(section);
  }
  return html::page(html::page_title(document), body);
}

}  // namespace perf
