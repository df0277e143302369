#include <string>
#include <utility>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/junit/test_suite.h"
#include "reporter/render.h"
#include "reporter/text/quantity.h"
#include "reporter/text/span_text.h"
#include "reporter/text/wording.h"

namespace perf {
namespace {

using namespace reporter;

CaseResult result_of(Verdict verdict) {
  const Tone tone = tone_of(verdict);
  return verdict == Verdict::failed ? CaseResult::error
         : tone == Tone::bad        ? CaseResult::failure
         : tone == Tone::warn       ? CaseResult::skipped
                                    : CaseResult::passed;
}

/// "regressed: step_time 412 ms -> 471 ms, +14.3 % [+12.1, +16.0]; threshold 10 %".
std::string sentence_of(const Comparison& comparison) {
  std::string text = std::string(to_string(*comparison.verdict)) + ": " +
                     plain_prose(change_phrase(comparison)) + "; threshold " +
                     threshold_phrase(comparison);
  return comparison.pairs == 0 ? text : text + "; " + counted(comparison.pairs, "pair");
}

void add_reproduce(const Report& report, std::vector<std::string>& lines) {
  for (const std::string& command : report.reproduce) {
    lines.push_back("again: " + plain_prose({reporter::command(command)}));
  }
}

TestCase case_of(const Comparison& comparison, const Report& report, const std::string& params) {
  // Only where rows would else share a name, so that a name stays the same from run to run.
  const std::string apart = params.empty() ? params : " (" + params + ")";
  TestCase one{comparison.workload, comparison.metric.name + apart, result_of(*comparison.verdict)};
  const std::string sentence = sentence_of(comparison);
  const std::string reason = plain_prose({data(reason_of(comparison))});
  const bool passed = one.result == CaseResult::passed;
  one.message = passed ? std::string() : sentence;
  if (one.result == CaseResult::error && !reason.empty()) {
    one.message = std::string(to_string(*comparison.verdict)) + ": " + reason;
  }
  one.details.push_back(sentence);
  if (!comparison.measured_because.empty()) {
    one.details.push_back(plain_prose({"measured because ", data(comparison.measured_because)}));
  }
  for (const std::vector<Prose>& remarks :
       {measured_remarks(comparison, report), worded_remarks(comparison)}) {
    for (const Prose& remark : remarks) {
      one.details.push_back(plain_prose(remark));
    }
  }
  if (!passed) {
    add_reproduce(report, one.details);
  }
  return one;
}

bool ran_at_head(const CheckResult& check) {
  return check.head.has_value();
}

void add_checks(const Report& report, std::vector<TestCase>& cases) {
  for (const auto& [workload, check] : checks_of(report, ran_at_head)) {
    TestCase one{workload, "check " + check.name};
    if (fails(check)) {
      one.result = newly_fails(check) ? CaseResult::failure : CaseResult::skipped;
      one.message = plain_prose(check_remark(check));
    }
    cases.push_back(std::move(one));
  }
}

void add_audits(const Report& report, std::vector<TestCase>& cases) {
  for (const ControlResult& audit : report.audits) {
    TestCase one{audit.workload, "audit " + audit.metric.name};
    if (audit.alarmed) {
      one.result = CaseResult::skipped;
      one.message = plain_prose(audit_line({audit}));
    }
    cases.push_back(std::move(one));
  }
}

void add_targets(const Report& report, std::vector<TestCase>& cases) {
  for (const TargetResult& result : report.targets) {
    if (!result.target.size.empty() && result.target.size != report.size) {
      continue;
    }
    TestCase one{"targets", result.target.name};
    const std::string sentence = plain_prose(target_phrase(result, report));
    if (!result.met) {
      one.result = CaseResult::skipped;
      one.message =
          (result.found.empty() ? "not measured" : plain_prose(elsewhere_phrase(result))) + ": " +
          sentence;
    } else if (!*result.met) {
      one.result = CaseResult::failure;
      one.message = "target missed: " + sentence;
    } else {
      one.details = {sentence};
    }
    cases.push_back(std::move(one));
  }
}

std::vector<std::pair<std::string, std::string>> properties_of(const Report& report) {
  std::vector<std::pair<std::string, std::string>> properties;
  const auto add = [&properties](const std::string& name, const std::string& value) {
    if (!value.empty()) {
      properties.emplace_back(name, value);
    }
  };
  add("report", report.id);
  add("base", report.base ? report.base->oid : "");
  add("head", report.head.oid);
  for (const Prose& line : revision_lines(report)) {
    add("revision", plain_prose(line));
  }
  add("machine", plain_prose(machine_line(report)));
  add("size", report.size);
  add("threshold", percentage(report.policy.threshold));
  add("alpha", percentage(report.policy.alpha));
  return properties;
}

}  // namespace

std::string render_junit(const Report& report) {
  TestSuite suite{"perf-compare", report.generated_at, report.measured, properties_of(report)};
  const auto params = distinguishing_params(report);
  for (const Comparison& comparison : report.comparisons) {
    if (verdict_of(comparison)) {
      suite.cases.push_back(case_of(comparison, report, params.at(&comparison)));
    }
  }
  add_checks(report, suite.cases);
  add_audits(report, suite.cases);
  add_targets(report, suite.cases);
  if (const Prose missing = missing_shards(report); !missing.empty()) {
    suite.cases.push_back({"perf-compare", "shards", CaseResult::error, plain_prose(missing)});
  }
  if (report.nothing_ran || compares_nothing(report)) {  // no cases at all would look like success
    suite.cases.push_back(
        {"perf-compare", "measured", CaseResult::error, plain_prose(headline(report).front())});
  }
  if (suite.cases.empty()) {
    suite.cases.push_back(
        {"perf-compare", "judged", CaseResult::skipped, "there was nothing to judge"});
  }
  return junit_xml(std::move(suite));
}

}  // namespace perf
