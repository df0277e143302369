#include "reporter/trend/lesser_findings.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "reporter/change.h"
#include "reporter/commit_phrase.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShown = 5;  ///< of each kind

std::vector<Finding> chosen(const std::vector<Finding>& findings,
                            const std::function<bool(const Finding&)>& is_wanted) {
  std::vector<Finding> wanted;
  std::copy_if(findings.begin(), findings.end(), std::back_inserter(wanted), is_wanted);
  return wanted;
}

void newest_first(std::vector<Finding>& steps) {
  std::stable_sort(steps.begin(), steps.end(), [](const Finding& a, const Finding& b) {
    return a.step->commit > b.step->commit;
  });
}

Prose line_of(const TrendReport& report, const Finding& finding, Span kind,
              const SeriesNames& names, bool with_command) {
  Prose line{std::move(kind), words(": ")};
  append(line, change_phrase(finding, names));
  line.push_back(words(", "));
  append(line, place_phrase(report, finding));
  if (finding.step != nullptr) {
    for (const std::string& fact : finding.step->facts) {
      line.push_back(words("; "));
      line.push_back(data(fact));
    }
  }
  if (with_command && !confirm_command(finding).empty()) {
    line.push_back(dim("; to make sure: "));
    line.push_back(command(confirm_command(finding)));
  }
  return line;
}

void add(std::vector<Prose>& lines, const TrendReport& report, const std::vector<Finding>& findings,
         const Span& kind, const SeriesNames& names, const std::string& in_full,
         bool with_command = false) {
  for (std::size_t i = 0; i < std::min(findings.size(), kShown); ++i) {
    lines.push_back(line_of(report, findings[i], kind, names, with_command));
  }
  if (findings.size() > kShown) {
    lines.push_back(
        {kind, words(": " + std::to_string(findings.size() - kShown) + " more (" + in_full + ")")});
  }
}

std::vector<Finding> suspects_of(const TrendReport& report) {
  std::vector<Finding> suspects;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.suspects) {
      if (is_open_suspect(step)) {
        suspects.push_back({AlertKind::step, &series, &step, nullptr, nullptr, step.state,
                            step.worse, step.change, step.interval});
      }
    }
  }
  newest_first(suspects);
  return suspects;
}

bool is_step(const Finding& finding, bool worse) {
  return finding.kind == AlertKind::step && finding.worse == worse &&
         finding.state == AlertState::none && !finding.step->machine_event;
}

/// Series that are measured and that have nothing to say of the baseline.
std::size_t unmeasured_at(const TrendReport& report, const std::string& baseline) {
  return static_cast<std::size_t>(
      std::count_if(report.series.begin(), report.series.end(), [&](const TrendSeries& series) {
        return series.live && !series.points.empty() &&
               std::none_of(series.drifts.begin(), series.drifts.end(),
                            [&](const Drift& drift) { return drift.baseline == baseline; });
      }));
}

/// "against release (1a2b3c4d5e6f): 2 of 40 series beyond their threshold; furthest ...; 3 series
/// were not measured there".
Prose baseline_line(const TrendReport& report, const std::string& baseline,
                    const std::vector<Finding>& drifts, const SeriesNames& names) {
  const auto beyond = std::count_if(drifts.begin(), drifts.end(),
                                    [](const Finding& drift) { return drift.drift->beyond; });
  const auto furthest = std::max_element(
      drifts.begin(), drifts.end(),
      [](const Finding& a, const Finding& b) { return extent(a.change) < extent(b.change); });
  Prose line{strong("against "), name(baseline)};
  if (const Revision* commit = commit_at(report, furthest->drift->commit)) {
    line.push_back(dim(" ("));
    line.push_back(data(commit->oid.substr(0, kShortOid)));
    line.push_back(dim(")"));
  }
  line.push_back(words(": " + std::to_string(beyond) + " of " +
                       counted(drifts.size(), "series", "series") + " " +
                       (beyond == 1 ? "is" : "are") + " beyond the threshold; furthest "));
  append(line, change_phrase(*furthest, names));
  const std::size_t unmeasured = unmeasured_at(report, baseline);
  if (unmeasured > 0) {
    line.push_back(
        words("; " + counted(unmeasured, "series was", "series were") + " not measured there"));
  }
  return line;
}

std::vector<Prose> baseline_lines(const TrendReport& report, const std::vector<Finding>& findings,
                                  const SeriesNames& names) {
  std::vector<Prose> lines;
  for (const Baseline& baseline : report.baselines) {
    const std::vector<Finding> drifts = chosen(findings, [&](const Finding& finding) {
      return finding.kind == AlertKind::drift && finding.drift->baseline == baseline.name;
    });
    if (!drifts.empty()) {
      lines.push_back(baseline_line(report, baseline.name, drifts, names));
    }
  }
  return lines;
}

}  // namespace

std::vector<Prose> lesser_finding_lines(const TrendReport& report,
                                        const std::vector<Finding>& findings,
                                        const SeriesNames& names, const std::string& in_full) {
  std::vector<Prose> lines;
  std::vector<Finding> better =
      chosen(findings, [](const Finding& finding) { return is_step(finding, false); });
  newest_first(better);
  add(lines, report, better, {Tone::good, "improved"}, names, in_full);
  add(lines, report, suspects_of(report), {Tone::warn, "suspect"}, names, in_full, true);
  const std::vector<Finding> slopes = chosen(findings, [](const Finding& finding) {
    return finding.kind == AlertKind::slope && finding.state == AlertState::none;
  });
  add(lines, report, slopes, strong("slope"), names, in_full);
  std::vector<Finding> worse =
      chosen(findings, [](const Finding& finding) { return is_step(finding, true); });
  newest_first(worse);
  add(lines, report, worse, strong("no alert"), names, in_full);
  for (Prose& line : baseline_lines(report, findings, names)) {
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace perf::reporter
