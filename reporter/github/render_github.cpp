#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/escape/markup.h"
#include "reporter/escape/visible.h"
#include "reporter/github/annotation.h"
#include "reporter/render.h"
#include "reporter/text/sentences.h"
#include "reporter/text/span_text.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShown = 10;
constexpr std::size_t kTitleLimit = 200;     ///< columns
constexpr std::size_t kMessageLimit = 2000;  ///< columns

constexpr std::array<const char*, 3> kLevels{"error", "warning", "notice"};

std::string command_of(const Annotation& annotation) {
  return std::string("::") + kLevels[static_cast<std::size_t>(annotation.level)] +
         " title=" + workflow_property(shortened(one_line(annotation.title), kTitleLimit)) +
         "::" + workflow_message(shortened(one_line(annotation.message), kMessageLimit)) + "\n";
}

}  // namespace

std::string workflow_commands(const std::vector<Annotation>& annotations) {
  std::string text;
  for (const AnnotationLevel level :
       {AnnotationLevel::error, AnnotationLevel::warning, AnnotationLevel::notice}) {
    std::vector<Annotation> chosen;
    std::ranges::copy_if(annotations, std::back_inserter(chosen),
                         [level](const Annotation& one) { return one.level == level; });
    const bool all = chosen.size() <= kShown;
    for (std::size_t i = 0; i < (all ? chosen.size() : kShown - 1); ++i) {
      text += command_of(chosen[i]);
    }
    if (!all) {
      text += command_of({level, "perf-compare",
                          "and " + std::to_string(chosen.size() - kShown + 1) +
                              " more: see the summary of the job"});
    }
  }
  return text;
}

}  // namespace perf::reporter

namespace perf {
namespace {

using namespace reporter;

/// Of what got a verdict: bad news are errors, what is open warns, good news stay in the summary.
std::optional<AnnotationLevel> level_of(Verdict verdict) {
  const Tone tone = tone_of(verdict);
  return tone == Tone::bad    ? std::optional(AnnotationLevel::error)
         : tone == Tone::warn ? std::optional(AnnotationLevel::warning)
                              : std::nullopt;
}

std::string message_of(const Comparison& comparison) {
  const bool reasoned = !comparison.change && !reason_of(comparison).empty();
  return plain_prose(reasoned ? Prose{data(reason_of(comparison))} : change_phrase(comparison));
}

/// "head does not build (exit status 2), 5 comparisons. sums.cpp:4:1: error: ...".
Annotation annotation_of(const CommonFailure& failure) {
  std::vector<Prose> sentences{
      {data(failure.reason), words(", " + counted(failure.rows, "comparison"))}};
  if (!failure.output.empty()) {
    sentences.push_back({data(failure.output.front())});
  }
  return {AnnotationLevel::error, "perf-compare failed", plain_sentences(sentences)};
}

void add_comparisons(const Report& report, std::vector<Annotation>& annotations) {
  const std::optional<CommonFailure> failure = common_failure(report);
  const bool at_once = failure && failure->rows > 1;
  if (at_once) {
    annotations.push_back(annotation_of(*failure));
  }
  for (const Comparison* comparison : changed_comparisons(report)) {
    const std::optional<Verdict> verdict = verdict_of(*comparison);
    const auto level = verdict ? level_of(*verdict) : std::nullopt;
    if (level && !(at_once && verdict == Verdict::failed)) {
      annotations.push_back(
          {*level, plain_prose({name(comparison->workload)}) + " " + state_of(*comparison),
           message_of(*comparison)});
    }
  }
}

void add_checks(const Report& report, std::vector<Annotation>& annotations) {
  for (const auto& [workload, check] : checks_of(report, newly_fails)) {
    annotations.push_back(
        {AnnotationLevel::error, plain_prose({name(workload)}), plain_prose(check_remark(check))});
  }
}

void add_targets(const Report& report, std::vector<Annotation>& annotations) {
  for (const TargetResult& result : report.targets) {
    if (result.met == false) {
      annotations.push_back(
          {AnnotationLevel::error, "target missed", plain_prose(target_phrase(result, report))});
    }
  }
}

void add_warnings(const std::vector<Warning>& warnings, std::vector<Annotation>& annotations) {
  for (const Warning& warning : warnings) {
    annotations.push_back({AnnotationLevel::warning, "perf-compare",
                           plain_prose({data(reporter::sentence(warning))})});
  }
}

/// The headline, and which commit is which.
Annotation notice_of(const Report& report) {
  std::vector<Prose> sentences = headline(report);
  append(sentences, revision_lines(report));
  return {AnnotationLevel::notice, "perf-compare", plain_sentences(sentences)};
}

constexpr std::size_t kValueLimit = 2000;  ///< columns

/// One line: a value of several would need a delimiter that no stranger can write.
std::string output(const std::string& name, const std::string& value) {
  return name + "=" + shortened(one_line(value), kValueLimit) + "\n";
}

std::string output(const std::string& name, std::size_t count) {
  return output(name, std::to_string(count));
}

}  // namespace

std::string render_github_annotations(const Report& report) {
  std::vector<Annotation> annotations;
  add_checks(report, annotations);
  add_comparisons(report, annotations);
  add_targets(report, annotations);
  add_warnings(report.warnings, annotations);
  annotations.push_back(notice_of(report));
  return workflow_commands(annotations);
}

/// New alerts are errors, each in one night only; so are those that were reopened.
std::string render_github_annotations(const TrendReport& report) {
  const TrendDigest trend(report);
  std::vector<Annotation> annotations;
  for (const AlertState state : {AlertState::fresh, AlertState::reopened}) {
    for (const reporter::Finding& finding : in_state(trend.findings, state)) {
      annotations.push_back(
          {AnnotationLevel::error, plain_prose(trend.names.workload(*finding.series)) + " moved",
           plain_prose(change_phrase(finding, trend.names)) +
               (finding.kind == AlertKind::step ? " " : ", ") +
               plain_prose(place_phrase(report, finding)) +
               (finding.decision ? "; " + plain_prose(decision_phrase(*finding.decision)) : "")});
    }
  }
  for (const MachineEvent& event : report.machine_events) {
    if (!event.known) {
      annotations.push_back({AnnotationLevel::warning, "machine event",
                             plain_prose(machine_event_phrase(report, event))});
    }
  }
  add_warnings(report.warnings, annotations);
  annotations.push_back(
      {AnnotationLevel::notice, "perf-compare", plain_sentences(trend_headline(trend))});
  return workflow_commands(annotations);
}

std::string render_github_outputs(const Report& report, int exit_code) {
  std::string text = output("verdict", std::string(to_string(report.summary.verdict)));
  text += output("headline", plain_sentences(headline(report)));
  text += output("base", report.base ? report.base->oid : "");
  text += output("head", report.head.oid);
  for (const Verdict verdict : kVerdicts) {
    const auto found = report.summary.counts.find(verdict);
    const int count = found == report.summary.counts.end() ? 0 : found->second;
    text += output(std::string(to_string(verdict)), std::to_string(count));
  }
  return text + output("exit-code", std::to_string(exit_code));
}

std::string render_github_outputs(const TrendReport& report, int exit_code) {
  const TrendDigest trend(report);
  std::string text = output("headline", plain_sentences(trend_headline(trend)));
  text += output("head", report.head.oid);
  text += output("new-alerts", trend.counts.fresh);
  text += output("known-alerts", trend.counts.known);
  text += output("machine-events", report.machine_events.size());
  return text + output("exit-code", std::to_string(exit_code));
}

}  // namespace perf
