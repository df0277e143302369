#include "reporter/html/comparison_page.h"
#include "reporter/html/document.h"
#include "reporter/html/page.h"
#include "reporter/layout.h"
#include "reporter/render.h"

namespace perf {

std::string render_html(const Report& report, const std::vector<MeasuredWorkload>& measured) {
  using namespace reporter;
  const Document document = lay_out(report, kInFullBelow);
  return html::page(html::page_title(document), html::comparison_body(document, report, measured));
}

}  // namespace perf
