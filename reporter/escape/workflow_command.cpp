#include "reporter/escape/workflow_command.h"

#include "reporter/escape/terminal.h"

namespace perf::reporter {
namespace {

/// As @actions/core encodes it; line ends are spaces already.
std::string encoded(std::string_view text, std::string_view special) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string safe;
  for (const char c : terminal_text(text)) {
    if (special.find(c) == std::string_view::npos) {
      safe += c;
    } else {
      const auto code = static_cast<unsigned char>(c);
      safe += '%';
      safe += kHex[code >> 4];
      safe += kHex[code & 15];
    }
  }
  return safe;
}

}  // namespace

std::string workflow_message(std::string_view text) {
  return encoded(text, "%");
}

std::string workflow_property(std::string_view text) {
  return encoded(text, "%:,");
}

}  // namespace perf::reporter
