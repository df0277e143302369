#include "reporter/escape/xml.h"

#include "reporter/escape/visible.h"

namespace perf::reporter {

std::string xml_text(std::string_view text) {
  std::string safe;
  for (const char c : visible(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace perf::reporter
