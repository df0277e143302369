#include <string>

#include "reporter/layout.h"
#include "reporter/render.h"
#include "reporter/terminal/document.h"

namespace perf {
namespace {

using namespace reporter;

}  // namespace

std::string render_terminal(const Report& report, bool color) {
  TerminalStyle style;
  style.color = color;
  std::string text = terminal_document(lay_out(report), style);
  // Folded sections are left out; how to see the run again is worth a line.
  if (!report.reproduce.empty()) {
    text += '\n';
    text += terminal_prose({dim("again: "), data(report.reproduce.front())}, kIndent, style);
  }
  return text;
}

}  // namespace perf
