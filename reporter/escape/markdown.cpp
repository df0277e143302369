#include "reporter/escape/markdown.h"

#include <algorithm>

#include "reporter/escape/visible.h"

namespace perf::reporter {
namespace {

constexpr std::string_view kZeroWidthSpace = "\u200B";

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_alphanumeric(char c) {  // std::isalnum asks the locale
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string entity(char c) {
  return "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
}

/// Whether GFM's autolink extension (section 6.9) would start at or just before `at`.
bool starts_autolink(std::string_view text, std::size_t at) {
  if (text[at] == ':') {
    return text.substr(at + 1, 2) == "//";
  }
  const auto is_w = [](char c) { return c == 'w' || c == 'W'; };
  return text[at] == '.' && at >= 3 && is_w(text[at - 1]) && is_w(text[at - 2]) &&
         is_w(text[at - 3]);
}

/// Whether GitHub, which looks for references in the text that Markdown has become, would find one
/// that has its number at `at`: `#1`, `org/repo#1`, `GH-1`. No backslash and no entity keeps it
/// off.
bool ends_reference(std::string_view text, std::size_t at) {
  if (!is_digit(text[at]) || at == 0) {
    return false;
  }
  const auto is_either = [](char c, char lower) { return (c | 0x20) == lower; };
  const bool gh = at >= 3 && text[at - 1] == '-' && is_either(text[at - 2], 'h') &&
                  is_either(text[at - 3], 'g') && (at == 3 || !is_alphanumeric(text[at - 4]));
  return text[at - 1] == '#' || gh;
}

/// `seen` holds no control characters and no line ends.
std::string escaped(std::string_view seen) {
  constexpr std::string_view backslashed = "*_[#`~";
  constexpr std::string_view as_entity = "&<\\|$";
  std::string text;
  text.reserve(seen.size() + 16);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const char c = seen[i];
    if (ends_reference(seen, i)) {
      text += kZeroWidthSpace;
    }
    if (c == '@') {
      text += c;
      text += kZeroWidthSpace;
    } else if (as_entity.find(c) != std::string_view::npos || starts_autolink(seen, i)) {
      text += entity(c);
    } else {
      if (backslashed.find(c) != std::string_view::npos) {
        text += '\\';
      }
      text += c;
    }
  }
  return text;
}

/// How many leading characters have to be entities lest a block begin: `-`, `+`, `>`, `=`, `1.`.
std::size_t block_marker(std::string_view seen) {
  std::size_t digits = 0;
  while (digits < seen.size() && is_digit(seen[digits])) {
    ++digits;
  }
  constexpr std::string_view markers = "-+>=:";
  const bool ordered =
      digits > 0 && digits < seen.size() && (seen[digits] == '.' || seen[digits] == ')');
  const bool marked = !seen.empty() && markers.find(seen[0]) != std::string_view::npos;
  return ordered ? digits + 1 : (marked ? 1 : 0);
}

bool is_plain_name(std::string_view seen) {
  constexpr std::string_view plain = "._/-+=,:() ";
  return !seen.empty() && std::ranges::all_of(seen, [plain](char c) {
    return is_ascii(c) && (is_alphanumeric(c) || plain.find(c) != std::string_view::npos);
  });
}

}  // namespace

std::string markdown_text(std::string_view text) {
  return escaped(visible(text));
}

std::string markdown_line(std::string_view text) {
  const std::string seen = visible(text);
  const std::size_t marker = block_marker(seen);
  if (marker == 0) {
    return escaped(seen);
  }
  return seen.substr(0, marker - 1) + entity(seen[marker - 1]) +
         escaped(std::string_view(seen).substr(marker));
}

std::string markdown_code(std::string_view text) {
  const std::string seen = visible(text);
  if (is_plain_name(seen)) {
    return "`" + seen + "`";
  }
  std::string code = "<code>";
  for (const char c : seen) {
    if (!is_ascii(c) || is_alphanumeric(c) || c == ' ') {
      code += c;
    } else {
      code += entity(c);
      code += c == '@' ? kZeroWidthSpace : std::string_view();
    }
  }
  return code + "</code>";
}

std::string html_command(std::string_view text) {
  constexpr std::string_view special = "&<>\"'";
  const std::string seen = visible(text);
  std::string html;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const std::string_view two = std::string_view(seen).substr(i, 2);
    const bool as_entity =
        two == "::" || two == "##" || special.find(seen[i]) != std::string_view::npos;
    html += as_entity ? entity(seen[i]) : std::string(1, seen[i]);
  }
  return html;
}

}  // namespace perf::reporter
