#include "reporter/layout.h"
#include "reporter/markdown/document.h"
#include "reporter/render.h"

namespace perf {

std::string render_markdown(const Report& report) {
  return reporter::markdown_document(reporter::lay_out(report, reporter::kInFullBelow));
}

}  // namespace perf
