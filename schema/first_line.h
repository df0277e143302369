#pragma once

#include <cstddef>
#include <string>

namespace perf {

// Why something failed is told in a line; what a program said of it may follow in further lines.

/// A text up to its first newline.
inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// What stands behind the first newline; empty where there is none.
inline std::string further_lines(const std::string& text) {
  const std::size_t newline = text.find('\n');
  return newline == std::string::npos ? std::string() : text.substr(newline + 1);
}

/// All of it that one line bears: what failed, the first line of what was said, and the last, which
/// says where to look.
inline std::string on_one_line(const std::string& text) {
  const std::string further = further_lines(text);
  if (further.empty()) {
    return text;
  }
  const std::string said = first_line(further), last = text.substr(text.rfind('\n') + 1);
  return first_line(text) + ": " + said + (further == said ? "" : "; " + last);
}

}  // namespace perf
