#include "reporter/escape/script_json.h"

#include "reporter/escape/visible.h"

namespace perf::reporter {

// In JSON <, > and & stand within strings only, so that an escape says the same.
std::string script_json(std::string_view json) {
  std::string safe;
  for (const char c : escape_unseen(json)) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace perf::reporter
