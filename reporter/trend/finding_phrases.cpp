#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

std::string oid_at(const TrendReport& report, std::uint32_t index) {
  const Revision* commit = commit_at(report, index);
  return commit ? short_oid(commit->oid) : std::string();
}

Prose slope_phrase(const TrendReport& report, const Slope& slope) {
  return {"a slope of ", number(change_text(slope.per_commit)),
          words(" a point over " + counted(slope.points, "point") + ", " +
                day_of(report, slope.previous) + " to " + day_of(report, slope.commit))};
}

Prose drift_phrase(const TrendReport& report, const Drift& drift) {
  return {"away from the baseline ",
          name(drift.baseline),
          " at ",
          data(oid_at(report, drift.previous)),
          "; threshold ",
          number(percentage(drift.threshold))};
}

}  // namespace

const Revision* commit_at(const TrendReport& report, std::uint32_t index) {
  return index < report.commits.size() ? &report.commits[index] : nullptr;
}

Prose place_phrase(const TrendReport& report, const ChangePoint& step) {
  if (step.same_program) {
    return {"near ", data(oid_at(report, step.commit)),
            ", where no commit changed its traced program"};
  }
  Prose phrase{"at "};
  if (step.commits > 1) {
    phrase = {words("in one of " + std::to_string(step.commits) + " commits after "),
              data(oid_at(report, step.previous)), ", up to "};
  }
  if (const Revision* commit = commit_at(report, step.commit)) {
    append(phrase, commit_phrase(*commit));
  }
  if (step.border) {
    phrase.push_back(", where its program changes");
  }
  return phrase;
}

Prose noise_change_phrase(const TrendReport& report, const NoiseChange& change) {
  Prose phrase{words(change.after < change.before ? "fell from " : "rose from "),
               number(rough_percentage(change.before)), " to ",
               number(rough_percentage(change.after))};
  if (const Revision* commit = commit_at(report, change.commit)) {
    append(phrase, " at ", commit_phrase(*commit));
  }
  return phrase;
}

Prose place_phrase(const TrendReport& report, const Finding& finding) {
  if (finding.step && contradicts_trace(finding.series->key, *finding.step)) {
    return {"near ", data(oid_at(report, finding.step->commit)),
            ", where pairs differ, although its traced program is the same"};
  }
  return finding.kind == AlertKind::step    ? place_phrase(report, *finding.step)
         : finding.kind == AlertKind::slope ? slope_phrase(report, *finding.slope)
                                            : drift_phrase(report, *finding.drift);
}

Prose change_phrase(const Finding& finding, const SeriesNames& names) {
  return joined(names.series(*finding.series), " ",
                number(change_text(finding.change, finding.interval)));
}

std::string levels_text(const Finding& finding) {
  return finding.step
             ? quantities(finding.step->before, finding.step->after, unit_of(*finding.series))
             : std::string();
}

std::string chance_text(const std::optional<double>& false_alarms) {
  if (!false_alarms) {
    return {};
  }
  return rate_text(*false_alarms) + (*false_alarms <= kLeastFalseAlarms ? " or fewer" : "");
}

std::vector<Prose> finding_cells(const TrendDigest& trend, const Finding& finding) {
  const std::string levels = levels_text(finding);
  return {trend.names.workload(*finding.series),
          {name(finding.series->metric.name)},
          {number(levels.empty() ? "-" : levels)},
          {number(change_text(finding.change, finding.interval))}};
}

Prose decider_phrase(const AlertEvent& decision) {
  Prose phrase;
  if (!decision.author.empty()) {
    append(phrase, "by ", data(decision.author), " ");
  }
  append(phrase, "on ", data(day_of(decision.at)), ": ", data(decision.reason));
  return phrase;
}

Prose decision_phrase(const AlertEvent& decision) {
  const std::string what =
      decision.news == AlertNews::fixed ? "marked as fixed" : std::string(to_string(decision.news));
  return joined(words(what + " "), decider_phrase(decision));
}

std::string day_of(const TrendReport& report, std::uint32_t index) {
  const Revision* commit = commit_at(report, index);
  return commit ? date_of(commit->committed_at) : std::string();
}

std::string day_of(const std::string& moment) {
  constexpr std::size_t kDay = 10;  // characters
  return moment.substr(0, kDay);
}

Prose finding_line(const TrendDigest& trend, const Finding& finding, Prose kind) {
  append(kind, change_phrase(finding, trend.names), ", ", place_phrase(trend.report, finding));
  return kind;
}

void add_confirm_command(Prose& line, const Finding& finding) {
  if (!finding.confirm.empty()) {
    append(line, dim("; to verify: "), command(finding.confirm));
  }
}

}  // namespace perf::reporter
