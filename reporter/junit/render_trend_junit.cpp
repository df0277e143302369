#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "reporter/junit/test_suite.h"
#include "reporter/render.h"
#include "reporter/text/quantity.h"
#include "reporter/text/span_text.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf {
namespace {

using namespace reporter;

/// "step_time 412 ms -> 471 ms, +14.3 % [+12.1, +16.0]", then where.
std::string sentence_of(const reporter::Finding& finding, const TrendReport& report,
                        const SeriesNames& names) {
  const std::string levels = levels_text(finding);
  return plain_prose(change_phrase(finding, names)) + (levels.empty() ? "" : " (" + levels + ")") +
         (finding.kind == AlertKind::step ? " " : ", ") +
         plain_prose(place_phrase(report, finding));
}

/// An alert is news once: one that was shown before stays in the lines, and fails nothing, unless
/// it was reopened.
void add_finding(const reporter::Finding& finding, const TrendReport& report,
                 const SeriesNames& names, TestCase& one) {
  if (!stands(finding.state)) {
    return;
  }
  const std::string sentence =
      std::string(to_string(finding.state)) + " alert: " + sentence_of(finding, report, names);
  one.details.push_back(sentence);
  if (const std::string chance = chance_text(finding.false_alarms); !chance.empty()) {
    one.details.push_back("false alarms as large: " + chance + " per 1,000 points");
  }
  if (!finding.confirmed_by.empty()) {
    one.details.push_back("confirmed by the comparison " +
                          plain_prose({data(finding.confirmed_by)}));
  } else if (!finding.confirm.empty()) {
    one.details.push_back("to verify: " + plain_prose({command(finding.confirm)}));
  }
  if (finding.decision) {
    one.details.push_back(plain_prose(decision_phrase(*finding.decision)));
  }
  if (finding.state == AlertState::fresh || finding.state == AlertState::reopened) {
    one.result = CaseResult::failure;
    one.message += (one.message.empty() ? "" : "; ") + sentence;
  }
}

TestCase case_of(const TrendSeries& series, const SeriesNames& names) {
  TestCase one{plain_prose(names.workload(series)), series.metric.name};
  if (series.points.empty()) {
    one.result = CaseResult::skipped;
    one.message = "no points";
  }
  if (const std::optional<double> level = present_level(series)) {
    one.details.push_back(counted(series.points.size(), "point") + ", present level " +
                          quantity(*level, unit_of(series)) + ", noise " +
                          rough_percentage(series.noise) +
                          (series.visible_step ? ", visible step " + visible_text(series) : ""));
  }
  return one;
}

std::vector<std::pair<std::string, std::string>> properties_of(const TrendReport& report) {
  return {{"report", report.id},
          {"head", report.head.oid},
          {"commits measured", std::to_string(report.measured)},
          {"size", report.size}};
}

}  // namespace

std::string render_trend_junit(const TrendReport& report) {
  TestSuite suite{"perf-compare trend", report.generated_at, 0, properties_of(report)};
  const SeriesNames names(report);
  for (const TrendSeries& series : report.series) {
    TestCase one = case_of(series, names);
    for (const reporter::Finding& finding : findings_of(series)) {
      add_finding(finding, report, names, one);
    }
    suite.cases.push_back(std::move(one));
  }
  if (suite.cases.empty()) {
    suite.cases.push_back({"perf-compare", "history", CaseResult::skipped, "nothing is recorded"});
  }
  return junit_xml(std::move(suite));
}

}  // namespace perf
