#include "collector/process/captured_text.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace perf {
namespace {

/// Lines between which an "error:" and its "try:" are looked for.
constexpr std::size_t kLinesOfAComplaint = 8;

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

unsigned char byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

struct Sequence {
  std::size_t length = 1;  ///< B of the character, or of the part to replace
  bool valid = false;
};

/// The character that begins at `at`, or the maximal part of one that is broken off there.
Sequence sequence_at(std::string_view bytes, std::size_t at) {
  const unsigned char first = byte_at(bytes, at);
  if (first < 0x80) {
    return {1, first != 0};
  }
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) {
    return {1, false};
  }
  // The second byte's range rules out overlong forms, surrogates and what lies past U+10FFFF.
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char next = byte_at(bytes, at + i);
    if (next < (i == 1 ? low : 0x80) || next > (i == 1 ? high : 0xBF)) {
      return {i, false};
    }
  }
  return {length, true};
}

bool is_control(std::string_view character) {
  const unsigned char first = byte_at(character, 0);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && byte_at(character, 1) < 0xA0);
}

}  // namespace

std::string to_valid_text(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_at(bytes, at);
    text += sequence.valid ? bytes.substr(at, sequence.length) : kReplacement;
    at += sequence.length;
  }
  return text;
}

std::string to_one_line(std::string_view bytes, std::size_t limit) {
  std::string line;
  bool gap = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const Sequence sequence = sequence_at(bytes, at);
    const std::string_view character =
        sequence.valid ? bytes.substr(at, sequence.length) : kReplacement;
    at += sequence.length;
    if (character == " " || is_control(character)) {
      gap = !line.empty();
      continue;
    }
    if (line.size() + character.size() + (gap ? 1 : 0) > limit) {
      break;
    }
    if (gap) {
      line += ' ';
      gap = false;
    }
    line += character;
  }
  return line;
}

std::string last_line(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t newline = bytes.rfind('\n');
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    std::string line = to_one_line(bytes.substr(begin));
    if (!line.empty()) {
      return line;
    }
    bytes = bytes.substr(0, newline == std::string_view::npos ? 0 : newline);
  }
  return {};
}

std::string last_words(std::string_view bytes) {
  std::vector<std::string> lines;  // from the last one on, without blank ones
  bool reached_error = false;
  while (!bytes.empty() && !reached_error) {
    const std::size_t newline = bytes.rfind('\n');
    std::string line =
        to_one_line(bytes.substr(newline == std::string_view::npos ? 0 : newline + 1));
    bytes = bytes.substr(0, newline == std::string_view::npos ? 0 : newline);
    if (line.empty()) {
      continue;
    }
    reached_error = line.rfind("error:", 0) == 0;
    lines.push_back(std::move(line));
    if (lines.front().rfind("try:", 0) != 0 || lines.size() == kLinesOfAComplaint) {
      break;
    }
  }
  const auto advice_ends =
      std::find_if_not(lines.begin(), lines.end(),
                       [](const std::string& line) { return line.rfind("try:", 0) == 0; });
  if (!reached_error && advice_ends != lines.end()) {
    lines.erase(advice_ends + 1, lines.end());
  }
  std::string words;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    words += (words.empty() ? "" : "; ") + *line;
  }
  return words;
}

}  // namespace perf
