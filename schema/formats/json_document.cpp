#include "schema/formats/json_document.h"

#include <array>
#include <cstddef>

namespace perf::formats {
namespace {

constexpr std::array<std::string_view, 3> kNonNumbers{"-Infinity", "Infinity", "NaN"};

/// How long the word at `at` is that stands for no number; 0: it is another, or where a name
/// stands.
std::size_t non_number_at(std::string_view text, std::size_t at) {
  for (const std::string_view word : kNonNumbers) {
    if (text.substr(at, word.size()) != word) {
      continue;
    }
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + word.size());
    return next != std::string_view::npos && text[next] == ':' ? 0 : word.size();
  }
  return 0;
}

}  // namespace

std::string mask_non_numbers(std::string_view text) {
  std::string masked(text);
  bool quoted = false;
  for (std::size_t at = 0; at < masked.size(); ++at) {
    if (quoted && masked[at] == '\\') {
      ++at;
    } else if (masked[at] == '"') {
      quoted = !quoted;
    } else if (!quoted) {
      const std::size_t length = non_number_at(text, at);
      if (length > 0) {
        masked.replace(at, length, "\"\"" + std::string(length - 2, ' '));
        at += length - 1;
      }
    }
  }
  return masked;
}

JsonValue read_foreign_json(std::string_view text) {
  return read_json(mask_non_numbers(text), JsonLimits{.large_integers = true});
}

}  // namespace perf::formats
