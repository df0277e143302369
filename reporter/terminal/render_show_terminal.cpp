#include "reporter/render.h"
#include "reporter/show/revision_layout.h"
#include "reporter/show/run_layout.h"
#include "reporter/show/run_list_layout.h"
#include "reporter/terminal/document.h"

namespace perf {
namespace {

reporter::TerminalStyle style_of(bool color) {
  reporter::TerminalStyle style;
  style.color = color;
  return style;
}

}  // namespace

std::string render_run_list_terminal(const RunList& list, bool color) {
  return reporter::terminal_document(reporter::lay_out(list), style_of(color));
}

std::string render_run_terminal(const RunView& view, bool color) {
  return reporter::terminal_document(reporter::lay_out(view), style_of(color));
}

std::string render_revision_terminal(const RevisionView& view, bool color) {
  return reporter::terminal_document(reporter::lay_out(view), style_of(color));
}

}  // namespace perf
