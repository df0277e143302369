#include "reporter/bisection_layout.h"
#include "reporter/render.h"
#include "reporter/terminal/document.h"

namespace perf {

std::string render_bisection_terminal(const Bisection& bisection, bool color) {
  reporter::TerminalStyle style;
  style.color = color;
  return reporter::terminal_document(reporter::lay_out(bisection), style);
}

}  // namespace perf
