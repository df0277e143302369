#include "reporter/terminal/document.h"

namespace perf::reporter {
namespace {}  // namespace

std::string terminal_document(const Document& document, const TerminalStyle& style) {
  std::string text;
  for (const Prose& sentence : document.headline) {
    text += terminal_prose(sentence, 0, style);
  }
  for (const Section& section : document.sections) {
    if (section.folded) {
      continue;
    }
    text += '\n';
    text += terminal_table(section.table, style);
    for (const Prose& line : section.lines) {
      text += terminal_prose(line, kIndent, style);
    }
  }
  return text;
}

}  // namespace perf::reporter
