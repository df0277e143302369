#include <string>
#include <vector>

#include "reporter/github/annotation.h"
#include "reporter/plain_prose.h"
#include "reporter/render.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/trend/findings.h"
#include "reporter/trend/machine_event_lines.h"
#include "reporter/trend/series_names.h"
#include "reporter/trend/trend_headline.h"

namespace perf {

using namespace reporter;

/// New alerts are errors: each is said in one night only.
std::string render_github_annotations(const TrendReport& report) {
  const std::vector<reporter::Finding> findings = findings_of(report);
  const SeriesNames names(report);
  std::vector<Annotation> annotations;
  for (const reporter::Finding& finding : in_state(findings, AlertState::fresh)) {
    annotations.push_back({AnnotationLevel::error,
                           plain_prose(names.workload(*finding.series)) + " moved",
                           plain_prose(change_phrase(finding, names)) +
                               (finding.kind == AlertKind::step ? " " : ", ") +
                               plain_prose(place_phrase(report, finding))});
  }
  for (const MachineEvent& event : report.machine_events) {
    if (!event.known) {
      annotations.push_back({AnnotationLevel::warning, "machine event",
                             plain_prose(machine_event_phrase(report, event))});
    }
  }
  for (const Warning& warning : report.warnings) {
    annotations.push_back(
        {AnnotationLevel::warning, "perf-compare", plain_prose({data(warning.text)})});
  }
  annotations.push_back({AnnotationLevel::notice, "perf-compare",
                         plain_sentences(trend_headline(report, findings, names))});
  return workflow_commands(annotations);
}

}  // namespace perf
