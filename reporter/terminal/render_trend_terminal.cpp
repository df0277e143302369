#include "reporter/render.h"
#include "reporter/terminal/document.h"
#include "reporter/trend/trend_layout.h"

namespace perf {

std::string render_trend_terminal(const TrendReport& report, bool color) {
  reporter::TerminalStyle style;
  style.color = color;
  std::string text = reporter::terminal_document(reporter::lay_out(report), style);
  // Folded sections are left out; how to see the history again is worth a line.
  if (!report.reproduce.empty()) {
    text += '\n';
    text += reporter::terminal_prose(
        {reporter::dim("again: "), reporter::data(report.reproduce.front())}, reporter::kIndent,
        style);
  }
  return text;
}

}  // namespace perf
