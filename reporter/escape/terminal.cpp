#include "reporter/escape/terminal.h"

#include "reporter/escape/visible.h"

namespace perf::reporter {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether the `[` at `at` ends the head of `##[...]`, `##vso[...]`, `##teamcity[...]`.
bool opens_command(std::string_view text, std::size_t at) {
  std::size_t start = at;
  while (start > 0 && is_letter(text[start - 1])) {
    --start;
  }
  return start >= 2 && text[start - 1] == '#' && text[start - 2] == '#';
}

/// Whether the `:` at `at` is the second of `::` where a line may start: after a space too, because
/// wrapping may bring it there.
bool starts_command(std::string_view text, std::size_t at) {
  return at >= 1 && text[at - 1] == ':' && (at == 1 || text[at - 2] == ' ');
}

}  // namespace

std::string terminal_text(std::string_view text) {
  const std::string seen = visible(text);
  std::string safe;
  safe.reserve(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if ((seen[i] == '[' && opens_command(seen, i)) || (seen[i] == ':' && starts_command(seen, i))) {
      safe += '\\';
    }
    safe += seen[i];
  }
  return safe;
}

}  // namespace perf::reporter
