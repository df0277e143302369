#include <algorithm>
#include <string>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf::reporter {
namespace {

using Causes = std::vector<const Cause*>;

Causes of_severity(const Diagnosis& diagnosis, Severity severity) {
  Causes causes;
  for (const Cause& cause : diagnosis.causes) {
    if (cause.severity == severity) {
      causes.push_back(&cause);
    }
  }
  return causes;
}

Prose problems_sentence(std::size_t problems, std::size_t notes) {
  Prose line{problems == 0 ? good("No problems found")
                           : bad(counted(problems, "problem") + " found")};
  if (notes > 0) {
    line.push_back(words("; " + counted(notes, "note")));
  }
  return line;
}

/// "cpu_quota" as people read it. Escaped like any text out of data.
Span title_of(const Cause& cause) {
  std::string text = cause.code;
  std::ranges::replace(text, '_', ' ');
  return data(text);
}

constexpr Span (*kSeverityTones[])(std::string) = {bad, warn, good, dim};  ///< by Severity

/// A row a check: below it what was found, what that does to timings, and what to do.
Section checks_section(const Causes& causes, bool with_reasons) {
  Section section{.table = {.columns = {"severity", "check"}}};
  for (const Cause* cause : causes) {
    const auto tone = kSeverityTones[static_cast<std::size_t>(cause->severity)];
    Row row{.cells = {{tone(std::string(to_string(cause->severity)))}, {title_of(*cause)}},
            .subject = {title_of(*cause)},
            .remarks = {{data(cause->what)}}};
    if (with_reasons && !cause->why.empty()) {
      row.remarks.push_back({data(cause->why)});
    }
    if (!cause->remedy.empty()) {
      row.remarks.push_back(
          {strong(cause->needs_root ? "try, as root:" : "try:"), " ", data(cause->remedy)});
    }
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

/// "3 checks passed; not available on this machine: governor, boost".
std::vector<Prose> other_check_lines(const Diagnosis& diagnosis, bool verbose) {
  const Causes unknown = of_severity(diagnosis, Severity::unknown);
  Prose line{words(counted(of_severity(diagnosis, Severity::good).size(), "check") + " passed")};
  for (const Cause* cause : unknown) {
    line.push_back(words(cause == unknown.front() ? "; not available on this machine: " : ", "));
    line.push_back(title_of(*cause));
  }
  return {line,
          {dim("watched for " + elapsed(diagnosis.watched) +
               (verbose ? "" : "; -v shows all checks"))}};
}

}  // namespace

Document page_of(const Diagnosis& diagnosis, bool verbose) {
  const Causes problems = of_severity(diagnosis, Severity::bad);
  const Causes notes = of_severity(diagnosis, Severity::note);
  Document document{problems.empty() ? Mood::good : Mood::bad,
                    {problems_sentence(problems.size(), notes.size())}};
  document.sections.push_back({.lines = {machine_line(diagnosis.environment)}});
  keep(document.sections, checks_section(problems, true));
  keep(document.sections, checks_section(notes, verbose));
  if (verbose) {
    keep(document.sections, checks_section(of_severity(diagnosis, Severity::good), true));
    keep(document.sections, checks_section(of_severity(diagnosis, Severity::unknown), true));
  }
  document.sections.push_back({.lines = other_check_lines(diagnosis, verbose)});
  return document;
}

}  // namespace perf::reporter
