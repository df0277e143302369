#include <algorithm>
#include <set>
#include <string>

#include "reporter/html/document.h"
#include "reporter/pages.h"
#include "reporter/render.h"
#include "reporter/svg/pictures.h"
#include "reporter/text/quantity.h"
#include "reporter/trend/findings.h"

namespace perf {
namespace reporter::html {
namespace {

/// What the marks of the pictures mean.
const char* const kHowToRead =
    "<details class=\"how-to-read\"><summary>Legend of the pictures</summary>\n"
    "<p>Commits run to the right, values upwards. A dot is a commit; where commits are closer than "
    "a dot, a stroke reaches from the lowest to the highest value. A dark line is the level "
    "between "
    "two steps; 19 of 20 points lie in the band around it. Marks: a triangle is a step for the "
    "worse and points where the value went; a circle is a step for the better; a square is part of "
    "a machine event; a diamond is a suspect; a small hollow circle is a refuted alert. New alerts "
    "are filled. Gray bands are machine events, dashed lines are baselines and changes of machine, "
    "pale dots are values of other machines, a dashed curve is a slope. Small triangles at the "
    "border are values beyond it. Where scripts run, dragging, the buttons, + and - zoom; arrow "
    "keys move from commit to commit.</p>\n"
    "</details>\n";

std::size_t index_of(const TrendReport& report, const TrendSeries* series) {
  return static_cast<std::size_t>(series - report.series.data());
}

/// "`parser` `step_time` +12.4 % [+10.9, +13.8]   412 ms -> 463 ms", leading to its row.
std::string heading(const Histories& histories, const Finding& finding) {
  const std::string row = "#" + series_anchor(index_of(histories.report(), finding.series));
  Prose change{bad(change_text(finding.change, finding.interval))};
  const std::string levels = levels_text(finding);
  if (!levels.empty()) {
    append(change, "  ", number(levels));
  }
  return element(
      "h3", {},
      element("a", {{"href", row}}, html_prose(histories.names().series(*finding.series))) + " " +
          html_prose(change));
}

std::string article(const Histories& histories, const Finding& finding, bool with_picture) {
  std::string content = heading(histories, finding);
  content += lines_html(alert_remarks(histories.report(), finding));
  if (with_picture) {
    content += history_box(index_of(histories.report(), finding.series),
                           svg::history_picture(histories.of(*finding.series), false));
  }
  return element("article", {{"class", "alert"}}, content) + "\n";
}

/// New alerts, the clearest first, each with the picture of its series; of a series with several
/// alerts the picture stands by the first of them.
std::string alert_articles(const Histories& histories, const std::vector<Finding>& findings) {
  const std::vector<Finding> fresh = in_state(findings, AlertState::fresh);
  std::set<const TrendSeries*> drawn;
  std::string html;
  for (std::size_t i = 0; i < std::min(fresh.size(), kShownAlerts); ++i) {
    html += article(histories, fresh[i], drawn.insert(fresh[i].series).second);
  }
  return html;
}

}  // namespace
}  // namespace reporter::html

std::string render_html(const TrendReport& report) {
  using namespace reporter;
  const Document document = page_around_pictures(report);
  const std::vector<reporter::Finding> findings = findings_of(report);
  const Histories histories(report);
  std::string body = html::headline_html(document) + html::alert_articles(histories, findings);
  bool listed = false;
  for (const Section& section : document.sections) {
    if (section.folded && !listed) {
      body += html::series_list(histories) + (report.series.empty() ? "" : html::kHowToRead);
      listed = true;
    }
    body += html::section_html(section);
  }
  return html::page(html::page_title(document), body);
}

}  // namespace perf
