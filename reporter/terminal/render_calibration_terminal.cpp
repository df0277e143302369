#include "reporter/calibration_layout.h"
#include "reporter/render.h"
#include "reporter/terminal/document.h"

namespace perf {

std::string render_calibration_terminal(const Calibration& calibration, bool color) {
  reporter::TerminalStyle style;
  style.color = color;
  return reporter::terminal_document(reporter::lay_out(calibration), style);
}

}  // namespace perf
