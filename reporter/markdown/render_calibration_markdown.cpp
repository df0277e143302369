#include "reporter/calibration_layout.h"
#include "reporter/markdown/document.h"
#include "reporter/render.h"

namespace perf {

std::string render_calibration_markdown(const Calibration& calibration) {
  return reporter::markdown_document(reporter::lay_out(calibration));
}

}  // namespace perf
