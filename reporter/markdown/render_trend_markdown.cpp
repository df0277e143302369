#include "reporter/markdown/document.h"
#include "reporter/render.h"
#include "reporter/trend/trend_layout.h"

namespace perf {

std::string render_trend_markdown(const TrendReport& report) {
  return reporter::markdown_document(reporter::lay_out(report));
}

}  // namespace perf
