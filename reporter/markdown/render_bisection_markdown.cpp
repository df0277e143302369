#include "reporter/bisection_layout.h"
#include "reporter/markdown/document.h"
#include "reporter/render.h"

namespace perf {

std::string render_bisection_markdown(const Bisection& bisection) {
  return reporter::markdown_document(reporter::lay_out(bisection));
}

}  // namespace perf
