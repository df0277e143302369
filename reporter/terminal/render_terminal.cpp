#include <string>

#include "reporter/layout.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"

namespace perf {
namespace {

using namespace reporter;

constexpr std::size_t kIndent = 2;

}  // namespace

std::string render_terminal(const Report& report, bool color) {
  TerminalStyle style;
  style.color = color;
  const Document document = lay_out(report);
  std::string text;
  for (const Prose& sentence : document.headline) {
    text += terminal_prose(sentence, 0, style);
  }
  for (const Section& section : document.sections) {
    if (section.folded) {
      continue;
    }
    text += '\n';
    text += terminal_table(section.table, style);
    for (const Prose& line : section.lines) {
      text += terminal_prose(line, kIndent, style);
    }
  }
  // Folded sections are left out; how to see the run again is worth a line.
  if (!report.reproduce.empty()) {
    text += '\n';
    text += terminal_prose({dim("again: "), data(report.reproduce.front())}, kIndent, style);
  }
  return text;
}

}  // namespace perf
