#include <algorithm>
#include <string>
#include <vector>

#include "reporter/measured_where.h"
#include "reporter/quantity.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"
#include "reporter/wording.h"

namespace perf {
namespace {

using namespace reporter;

constexpr std::size_t kTextColumn = 8;  ///< beside "  note  "

std::vector<const Finding*> of_severity(const Diagnosis& diagnosis, Severity severity) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : diagnosis.findings) {
    if (finding.severity == severity) {
      findings.push_back(&finding);
    }
  }
  return findings;
}

Prose headline(std::size_t harmful, std::size_t notes) {
  const std::string things = counted(harmful, "thing here is", "things here are");
  Prose line{harmful == 0 ? good("Nothing found here is bad for timings")
                          : bad(things + " bad for timings")};
  if (notes > 0) {
    line.push_back(words("; " + std::to_string(notes) + (harmful == 0 ? "" : " more") +
                         (notes == 1 ? " is" : " are") + " worth knowing"));
  }
  return line;
}

/// "cpu_quota" as people read it. Our own word, but escaped like any other text.
Span title(const Finding& finding) {
  std::string text = finding.code;
  std::ranges::replace(text, '_', ' ');
  return data(text);
}

constexpr Tone kTones[] = {Tone::bad, Tone::warn, Tone::good, Tone::dim};  ///< by Severity

/// The severity in the margin, what was found beside it, and below it why that matters (of notes
/// only where `verbose`) and what to do.
std::string item(const Finding& finding, bool verbose, const TerminalStyle& style) {
  // "unknown" is wider than the margin: the title says enough.
  const std::string word =
      finding.severity == Severity::unknown ? "?" : std::string(to_string(finding.severity));
  std::string text = terminal_prose({title(finding), ": ", data(finding.what)}, kTextColumn, style);
  const std::string margin =
      std::string(kIndent, ' ') +
      terminal_cell({{kTones[static_cast<std::size_t>(finding.severity)], word}}, 10, style) +
      std::string(kTextColumn - kIndent - word.size(), ' ');
  text.replace(0, kTextColumn, margin);
  if (!finding.why.empty() && (verbose || finding.severity == Severity::bad)) {
    text += terminal_prose({data(finding.why)}, kTextColumn, style);
  }
  if (!finding.remedy.empty()) {
    text += terminal_prose(
        {strong(finding.needs_root ? "try, as root:" : "try:"), " ", data(finding.remedy)},
        kTextColumn, style);
  }
  return text;
}

/// What else was looked at, in a line or two.
std::string rest(const Diagnosis& diagnosis, bool verbose, const TerminalStyle& style) {
  const std::size_t good = of_severity(diagnosis, Severity::good).size();
  const std::vector<const Finding*> unknown = of_severity(diagnosis, Severity::unknown);
  Prose line{words(std::to_string(good) + " good")};
  for (const Finding* finding : unknown) {
    line.push_back(words(finding == unknown.front() ? "; not known here: " : ", "));
    line.push_back(title(*finding));
  }
  const bool more = !verbose && good + unknown.size() > 0;
  return terminal_prose(line, kIndent, style) +
         terminal_prose({dim("watched for "), dim(elapsed(diagnosis.watched)),
                         dim(more ? "; -v shows everything that was looked at" : "")},
                        kIndent, style);
}

}  // namespace

std::string render_doctor_terminal(const Diagnosis& diagnosis, bool color, bool verbose) {
  const TerminalStyle style{color, 80};
  const std::vector<const Finding*> bad = of_severity(diagnosis, Severity::bad);
  const std::vector<const Finding*> notes = of_severity(diagnosis, Severity::note);
  std::string text = terminal_prose(headline(bad.size(), notes.size()), 0, style) +
                     terminal_prose(machine_line(diagnosis.environment), kIndent, style);
  for (const Severity severity : kSeverities) {
    const std::vector<const Finding*> findings = of_severity(diagnosis, severity);
    const bool shown = verbose || severity == Severity::bad || severity == Severity::note;
    text += shown && !findings.empty() ? "\n" : "";
    for (const Finding* finding : findings) {
      text += shown ? item(*finding, verbose, style) : "";
    }
  }
  return text + "\n" + rest(diagnosis, verbose, style);
}

}  // namespace perf
