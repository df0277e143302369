#include <algorithm>
#include <string>
#include <utility>

#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kListed = 5;  ///< of each kind

void newest_first(std::vector<Finding>& steps) {
  std::ranges::stable_sort(steps, std::ranges::greater(),
                           [](const Finding& finding) { return finding.step->commit; });
}

Prose line_of(const TrendDigest& trend, const Finding& finding, const Span& kind) {
  Prose line = finding_line(trend, finding, {kind, ": "});
  if (finding.step != nullptr) {
    for (const std::string& fact : finding.step->facts) {
      append(line, "; ", data(fact));
    }
  }
  return line;
}

/// Of a slope that most of its machine's series share: one warning covers all of them.
bool is_in_machine_slope(const TrendSeries& series, const ChangePoint& step) {
  const std::optional<Slope>& slope = series.trend;
  return slope && slope->of_machine && slope->previous <= step.commit &&
         step.commit <= slope->commit;
}

std::vector<Finding> suspects_of(const TrendReport& report, bool in_machine_slope) {
  std::vector<Finding> suspects;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.suspects) {
      if (is_open_suspect(step) && is_in_machine_slope(series, step) == in_machine_slope) {
        suspects.push_back(step_finding(series, step));
      }
    }
  }
  newest_first(suspects);
  return suspects;
}

/// Changes of tails, for the worse or the better.
std::vector<Finding> tails_of(const TrendReport& report, bool worse) {
  std::vector<Finding> tails;
  for (const TrendSeries& series : report.series) {
    for (const ChangePoint& step : series.tails) {
      if (step.worse == worse) {
        tails.push_back(step_finding(series, step));
      }
    }
  }
  newest_first(tails);
  return tails;
}

bool is_step(const Finding& finding, bool worse) {
  return finding.kind == AlertKind::step && finding.worse == worse &&
         finding.state == AlertState::none && !finding.step->machine_event;
}

/// Newest first, a few: "noise of `parser` `step_time` fell from 6 % to 1 % at ...".
std::vector<Prose> noise_lines(const TrendDigest& trend, const std::string& in_full) {
  std::vector<std::pair<const NoiseChange*, const TrendSeries*>> changes;
  for (const TrendSeries& series : trend.report.series) {
    for (const NoiseChange& change : series.noise_changes) {
      changes.emplace_back(&change, &series);
    }
  }
  std::ranges::stable_sort(changes, std::ranges::greater(),
                           [](const auto& one) { return one.first->commit; });
  std::vector<Prose> lines;
  for (std::size_t i = 0; i < std::min(changes.size(), kListed); ++i) {
    const auto& [change, series] = changes[i];
    lines.push_back(joined(strong("noise"), " of ", trend.names.series(*series), " ",
                           noise_change_phrase(trend.report, *change)));
  }
  if (changes.size() > kListed) {
    lines.push_back({strong("noise"), words(": " + std::to_string(changes.size() - kListed) +
                                            " more (" + in_full + ")")});
  }
  return lines;
}

/// Series that are measured and that have nothing to say of the baseline.
std::int64_t unmeasured_at(const TrendReport& report, const std::string& baseline) {
  return std::ranges::count_if(report.series, [&](const TrendSeries& series) {
    return series.live && !series.points.empty() &&
           std::ranges::none_of(series.drifts,
                                [&](const Drift& drift) { return drift.baseline == baseline; });
  });
}

/// "against release (1a2b3c4d5e6f): 2 of 40 series beyond their threshold; furthest ...; 3 series
/// were not measured there".
Prose baseline_line(const TrendDigest& trend, const std::string& baseline,
                    const std::vector<Finding>& drifts) {
  const auto beyond =
      std::ranges::count_if(drifts, [](const Finding& drift) { return drift.drift->beyond; });
  const auto furthest = std::ranges::max_element(drifts, [](const Finding& a, const Finding& b) {
    return extent(a.change) < extent(b.change);
  });
  Prose line{strong("against "), name(baseline)};
  if (const Revision* commit = commit_at(trend.report, furthest->previous)) {
    append(line, dim(" ("), data(short_oid(commit->oid)), dim(")"));
  }
  append(line,
         words(": " + std::to_string(beyond) + " of " + counted(drifts.size(), "series", "series") +
               " " + (beyond == 1 ? "is" : "are") + " beyond the threshold; furthest "),
         change_phrase(*furthest, trend.names));
  const std::int64_t unmeasured = unmeasured_at(trend.report, baseline);
  if (unmeasured > 0) {
    line.push_back(
        words("; " + counted(unmeasured, "series was", "series were") + " not measured there"));
  }
  return line;
}

std::vector<Prose> baseline_lines(const TrendDigest& trend) {
  std::vector<Prose> lines;
  for (const Baseline& baseline : trend.report.baselines) {
    const std::vector<Finding> drifts = chosen(trend.findings, [&](const Finding& finding) {
      return finding.kind == AlertKind::drift && finding.drift->baseline == baseline.name;
    });
    if (!drifts.empty()) {
      lines.push_back(baseline_line(trend, baseline.name, drifts));
    }
  }
  return lines;
}

}  // namespace

std::vector<Prose> lesser_finding_lines(const TrendDigest& trend, const std::string& in_full) {
  std::vector<Prose> lines;
  const auto add = [&](const std::vector<Finding>& findings, const Span& kind,
                       bool with_command = false) {
    for (std::size_t i = 0; i < std::min(findings.size(), kListed); ++i) {
      lines.push_back(line_of(trend, findings[i], kind));
      if (with_command) {
        add_confirm_command(lines.back(), findings[i]);
      }
    }
    if (findings.size() > kListed) {
      lines.push_back({kind, words(": " + std::to_string(findings.size() - kListed) + " more (" +
                                   in_full + ")")});
    }
  };
  const auto steps = [&trend](bool worse) {
    std::vector<Finding> found =
        chosen(trend.findings, [worse](const Finding& finding) { return is_step(finding, worse); });
    newest_first(found);
    return found;
  };
  add(steps(false), good("improved"));
  add(suspects_of(trend.report, false), warn("suspect"), true);
  if (const std::size_t more = suspects_of(trend.report, true).size(); more > 0) {
    lines.push_back({warn("suspect"), words(": " + std::to_string(more) +
                                            " in series that slope like most of their machine")});
  }
  add(tails_of(trend.report, true), warn("slower tail"), true);
  add(tails_of(trend.report, false), good("faster tail"));
  add(chosen(trend.findings,
             [](const Finding& finding) {
               return finding.kind == AlertKind::slope && finding.state == AlertState::none;
             }),
      strong("slope"));
  add(steps(true), strong("no alert"));
  append(lines, noise_lines(trend, in_full));
  append(lines, baseline_lines(trend));
  return lines;
}

}  // namespace perf::reporter
