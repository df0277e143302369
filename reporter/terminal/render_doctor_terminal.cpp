#include <algorithm>
#include <string>
#include <vector>

#include "reporter/comparison/measured_where.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"

namespace perf {
namespace {

using namespace reporter;

constexpr std::size_t kTextColumn = 8;  ///< beside "  note  "

std::vector<const Cause*> of_severity(const Diagnosis& diagnosis, Severity severity) {
  std::vector<const Cause*> causes;
  for (const Cause& cause : diagnosis.causes) {
    if (cause.severity == severity) {
      causes.push_back(&cause);
    }
  }
  return causes;
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
Span title(const Cause& cause) {
  std::string text = cause.code;
  std::ranges::replace(text, '_', ' ');
  return data(text);
}

constexpr Tone kTones[] = {Tone::bad, Tone::warn, Tone::good, Tone::dim};  ///< by Severity

/// The severity in the margin, what was found beside it, and below it why that matters (of notes
/// only where `verbose`) and what to do.
std::string item(const Cause& cause, bool verbose, const TerminalStyle& style) {
  // "unknown" is wider than the margin: the title says enough.
  const std::string word =
      cause.severity == Severity::unknown ? "?" : std::string(to_string(cause.severity));
  std::string text = terminal_prose({title(cause), ": ", data(cause.what)}, kTextColumn, style);
  const std::string margin =
      std::string(kIndent, ' ') +
      terminal_cell({{kTones[static_cast<std::size_t>(cause.severity)], word}}, 10, style) +
      std::string(kTextColumn - kIndent - word.size(), ' ');
  text.replace(0, kTextColumn, margin);
  if (!cause.why.empty() && (verbose || cause.severity == Severity::bad)) {
    text += terminal_prose({data(cause.why)}, kTextColumn, style);
  }
  if (!cause.remedy.empty()) {
    text += terminal_prose(
        {strong(cause.needs_root ? "try, as root:" : "try:"), " ", data(cause.remedy)}, kTextColumn,
        style);
  }
  return text;
}

/// What else was looked at, in a line or two.
std::string rest(const Diagnosis& diagnosis, bool verbose, const TerminalStyle& style) {
  const std::size_t good = of_severity(diagnosis, Severity::good).size();
  const std::vector<const Cause*> unknown = of_severity(diagnosis, Severity::unknown);
  Prose line{words(std::to_string(good) + " good")};
  for (const Cause* cause : unknown) {
    line.push_back(words(cause == unknown.front() ? "; not known here: " : ", "));
    line.push_back(title(*cause));
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
  const std::vector<const Cause*> bad = of_severity(diagnosis, Severity::bad);
  const std::vector<const Cause*> notes = of_severity(diagnosis, Severity::note);
  std::string text = terminal_prose(headline(bad.size(), notes.size()), 0, style) +
                     terminal_prose(machine_line(diagnosis.environment), kIndent, style);
  for (const Severity severity : kSeverities) {
    const std::vector<const Cause*> causes = of_severity(diagnosis, severity);
    const bool shown = verbose || severity == Severity::bad || severity == Severity::note;
    text += shown && !causes.empty() ? "\n" : "";
    for (const Cause* cause : causes) {
      text += shown ? item(*cause, verbose, style) : "";
    }
  }
  return text + "\n" + rest(diagnosis, verbose, style);
}

}  // namespace perf
