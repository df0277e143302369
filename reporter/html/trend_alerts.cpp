#include "reporter/html/trend_alerts.h"

#include <algorithm>
#include <set>

#include "reporter/change.h"
#include "reporter/html/element.h"
#include "reporter/html/prose.h"
#include "reporter/html/trend_series_list.h"
#include "reporter/svg/history_picture.h"
#include "reporter/trend/trend_sections.h"
#include "reporter/trend/finding_phrases.h"

namespace perf::reporter::html {
namespace {

std::size_t index_of(const TrendReport& report, const TrendSeries* series) {
  return static_cast<std::size_t>(series - report.series.data());
}

/// "`parser` `step_time` +12.4 % [+10.9, +13.8]   412 ms -> 463 ms", leading to its row.
std::string heading(const Histories& histories, const Finding& finding) {
  const std::string row = "#" + series_anchor(index_of(histories.report(), finding.series));
  Prose change{{Tone::bad, change_text(finding.change, finding.interval)}};
  const std::string levels = levels_text(finding);
  if (!levels.empty()) {
    append(change, words("  "), number(levels));
  }
  return element(
      "h3", {},
      element("a", {{"href", row}}, html_prose(histories.names().series(*finding.series))) + " " +
          html_prose(change));
}

std::string article(const Histories& histories, const Finding& finding, bool with_picture) {
  std::string content = heading(histories, finding);
  for (const Prose& remark : alert_remarks(histories.report(), finding)) {
    content += element("p", {}, html_prose(remark)) + "\n";
  }
  if (with_picture) {
    content += history_box(index_of(histories.report(), finding.series),
                           svg::history_picture(histories.of(*finding.series), false));
  }
  return element("article", {{"class", "alert"}}, content) + "\n";
}

}  // namespace

std::string alert_articles(const Histories& histories, const std::vector<Finding>& findings) {
  const std::vector<Finding> fresh = in_state(findings, AlertState::fresh);
  std::set<const TrendSeries*> drawn;
  std::string html;
  for (std::size_t i = 0; i < std::min(fresh.size(), kShownAlerts); ++i) {
    html += article(histories, fresh[i], drawn.insert(fresh[i].series).second);
  }
  return html;
}

}  // namespace perf::reporter::html
