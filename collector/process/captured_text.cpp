#include "collector/process/captured_text.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "schema/text/text_parts.h"
#include "schema/text/utf8.h"

namespace perf {
namespace {

/// The most lines of an "error:" with its hint.
constexpr std::size_t kLinesOfAComplaint = 8;

/// The next character, or its replacement.
Character take_storable(std::string_view& bytes) {
  Character taken = take_character(bytes);
  if (taken.code == 0 || taken.code == kReplacement) {
    taken = {kReplacementText, kReplacement};
  }
  return taken;
}

/// "try:" is how older workloads of this repository begin a hint.
bool is_hint(const std::string& line) {
  return line.starts_with("hint:") || line.starts_with("try:");
}

/// Removes the last line of a text that is not empty; returns it made valid for a message.
std::string take_last_line(std::string_view& bytes) {
  const std::size_t newline = bytes.rfind('\n');
  std::string line = to_one_line(bytes.substr(newline + 1));  // npos + 1 is 0
  bytes = bytes.substr(0, newline == std::string_view::npos ? 0 : newline);
  return line;
}

}  // namespace

std::string to_valid_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    text += take_storable(bytes).bytes;
  }
  return text;
}

std::string to_one_line(std::string_view bytes, std::size_t limit) {
  std::string line;
  bool gap = false;
  while (!bytes.empty()) {
    const Character next = take_storable(bytes);
    if (next.code == ' ' || is_control(next.code)) {
      gap = !line.empty();
      continue;
    }
    if (line.size() + next.bytes.size() + (gap ? 1 : 0) > limit) {
      break;
    }
    line.append(gap ? " " : "").append(next.bytes);
    gap = false;
  }
  return line;
}

std::string last_line(std::string_view bytes) {
  std::string line;
  while (!bytes.empty() && line.empty()) {
    line = take_last_line(bytes);
  }
  return line;
}

std::string last_words(std::string_view bytes) {
  std::vector<std::string> lines;  // in reverse, without blank ones
  bool reached_error = false;
  while (!bytes.empty() && !reached_error) {
    std::string line = take_last_line(bytes);
    if (line.empty()) {
      continue;
    }
    reached_error = line.starts_with("error:");
    lines.push_back(std::move(line));
    if (!is_hint(lines.front()) || lines.size() == kLinesOfAComplaint) {
      break;
    }
  }
  const auto advice_ends = std::ranges::find_if_not(lines, is_hint);
  if (!reached_error && advice_ends != lines.end()) {
    lines.erase(advice_ends + 1, lines.end());
  }
  std::ranges::reverse(lines);
  return joined(lines, "; ");
}

}  // namespace perf
