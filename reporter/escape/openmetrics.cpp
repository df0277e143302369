#include "reporter/escape/openmetrics.h"

#include "reporter/escape/visible.h"

namespace perf::reporter {

std::string label_text(std::string_view text) {
  std::string safe;
  for (const char c : visible(text)) {
    if (c == '\\' || c == '"') {
      safe += '\\';
    }
    safe += c;
  }
  return safe;
}

}  // namespace perf::reporter
