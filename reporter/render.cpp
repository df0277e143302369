#include "reporter/render.h"

#include "reporter/html/document.h"
#include "reporter/html/page.h"
#include "reporter/markdown/document.h"
#include "reporter/terminal/style.h"

namespace perf {

std::string render_terminal(const reporter::Document& document, bool color) {
  return reporter::terminal_document(document, {color});
}

std::string render_markdown(const reporter::Document& document) {
  return reporter::markdown_document(document);
}

std::string render_html(const reporter::Document& document) {
  using namespace reporter::html;
  return page(page_title(document), document_body(document));
}

std::string render_github_summary(const reporter::Document& document, std::size_t limit) {
  // What the reader is told: the limit of a step, whatever of it is left for this report.
  return reporter::markdown_document(document, {limit, "900 KiB"});
}

}  // namespace perf
