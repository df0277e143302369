#include "reporter/bisection_layout.h"
#include "reporter/calibration_layout.h"
#include "reporter/collection_layout.h"
#include "reporter/html/document.h"
#include "reporter/html/page.h"
#include "reporter/render.h"

// The pages that say what their document says, and nothing beside it.
namespace perf {
namespace {

std::string page_of(const reporter::Document& document) {
  using namespace reporter::html;
  return page(page_title(document), document_body(document));
}

}  // namespace

std::string render_bisection_html(const Bisection& bisection) {
  return page_of(reporter::lay_out(bisection));
}

std::string render_calibration_html(const Calibration& calibration) {
  return page_of(reporter::lay_out(calibration));
}

std::string render_collection_html(const Collection& collection) {
  return page_of(reporter::lay_out(collection));
}

}  // namespace perf
