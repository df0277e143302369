#include <string>

#include "reporter/html/document.h"
#include "reporter/html/page.h"
#include "reporter/layout.h"
#include "reporter/markdown/document.h"
#include "reporter/render.h"
#include "reporter/terminal/style.h"

// What is said by a document alone, in each of the outputs that write one down.

namespace perf {
namespace {

using namespace reporter;

/// Folded sections are left out; how to see it again is worth a line.
std::string on_terminal(const Document& document, bool color,
                        const std::vector<std::string>& again = {}) {
  const TerminalStyle style{color};
  const std::string text = terminal_document(document, style);
  return again.empty()
             ? text
             : text + '\n' + terminal_prose({dim("again: "), data(again.front())}, kIndent, style);
}

std::string page_of(const Document& document) {
  return html::page(html::page_title(document), html::document_body(document));
}

/// What the reader is told of is the limit of a step, whatever of it is left for this report.
std::string summary_of(const Document& document, std::size_t limit) {
  return markdown_document(document, {limit, "900 KiB"});
}

}  // namespace

std::string render_terminal(const Report& report, bool color) {
  return on_terminal(lay_out(report), color, report.reproduce);
}
std::string render_markdown(const Report& report) {
  return markdown_document(lay_out(report, kInFullBelow));
}
std::string render_github_summary(const Report& report, std::size_t limit) {
  return summary_of(lay_out(report, kInFullBelow), limit);
}

std::string render_trend_terminal(const TrendReport& report, bool color) {
  return on_terminal(lay_out(report), color, report.reproduce);
}
std::string render_trend_markdown(const TrendReport& report) {
  return markdown_document(lay_out(report));
}
std::string render_github_summary(const TrendReport& report, std::size_t limit) {
  return summary_of(lay_out(report), limit);
}

std::string render_bisection_terminal(const Bisection& bisection, bool color) {
  return on_terminal(lay_out(bisection), color);
}
std::string render_bisection_markdown(const Bisection& bisection) {
  return markdown_document(lay_out(bisection));
}
std::string render_bisection_html(const Bisection& bisection) {
  return page_of(lay_out(bisection));
}
std::string render_github_summary(const Bisection& bisection, std::size_t limit) {
  return summary_of(lay_out(bisection), limit);
}

std::string render_calibration_terminal(const Calibration& calibration, bool color) {
  return on_terminal(lay_out(calibration), color);
}
std::string render_calibration_markdown(const Calibration& calibration) {
  return markdown_document(lay_out(calibration));
}
std::string render_calibration_html(const Calibration& calibration) {
  return page_of(lay_out(calibration));
}
std::string render_github_summary(const Calibration& calibration, std::size_t limit) {
  return summary_of(lay_out(calibration), limit);
}

std::string render_collection_terminal(const Collection& collection, bool color) {
  return on_terminal(lay_out(collection), color);
}
std::string render_collection_markdown(const Collection& collection) {
  return markdown_document(lay_out(collection));
}
std::string render_collection_html(const Collection& collection) {
  return page_of(lay_out(collection));
}
std::string render_github_summary(const Collection& collection, std::size_t limit) {
  return summary_of(lay_out(collection), limit);
}

std::string render_run_list_terminal(const RunList& list, bool color) {
  return on_terminal(lay_out(list), color);
}
std::string render_run_terminal(const RunView& view, bool color) {
  return on_terminal(lay_out(view), color);
}
std::string render_revision_terminal(const RevisionView& view, bool color) {
  return on_terminal(lay_out(view), color);
}

}  // namespace perf
