#include "reporter/collection_layout.h"
#include "reporter/render.h"
#include "reporter/terminal/document.h"

namespace perf {

std::string render_collection_terminal(const Collection& collection, bool color) {
  reporter::TerminalStyle style;
  style.color = color;
  return reporter::terminal_document(reporter::lay_out(collection), style);
}

}  // namespace perf
