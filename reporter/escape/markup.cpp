#include "reporter/escape/markup.h"

#include <initializer_list>

#include "reporter/escape/terminal.h"
#include "reporter/escape/visible.h"

namespace perf::reporter {
namespace {

struct Substitute {
  char mark;
  std::string_view text;
};

std::string substituted(std::string_view text, std::initializer_list<Substitute> substitutes) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    std::string_view piece(&c, 1);
    for (const Substitute& one : substitutes) {
      piece = one.mark == c ? one.text : piece;
    }
    safe += piece;
  }
  return safe;
}

}  // namespace

std::string xml_text(std::string_view text) {
  return substituted(
      visible(text),
      {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string label_text(std::string_view text) {
  return substituted(visible(text), {{'\\', "\\\\"}, {'"', "\\\""}});
}

// In JSON <, > and & stand within strings only, so that an escape says the same.
std::string script_json(std::string_view json) {
  return substituted(escape_unseen(json), {{'<', "\\u003c"}, {'>', "\\u003e"}, {'&', "\\u0026"}});
}

// As @actions/core encodes it; line ends are spaces already.
std::string workflow_message(std::string_view text) {
  return substituted(terminal_text(text), {{'%', "%25"}});
}

std::string workflow_property(std::string_view text) {
  return substituted(terminal_text(text), {{'%', "%25"}, {':', "%3A"}, {',', "%2C"}});
}

}  // namespace perf::reporter
