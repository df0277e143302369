#include "reporter/terminal/style.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "reporter/escape/terminal.h"
#include "reporter/escape/visible.h"
#include "reporter/text/span_text.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

constexpr TextLimits kSentenceLimits{80, 400};

/// By Tone; numbers, names and what else comes out of data have no colour.
constexpr std::string_view kColors[] = {"",           "\x1b[1m",    "\x1b[1;32m",
                                        "\x1b[1;31m", "\x1b[1;33m", "\x1b[2m"};

std::string dressed(const std::string& text, Tone tone, bool color) {
  const auto place = static_cast<std::size_t>(tone);
  const std::string_view code = color && place < std::size(kColors) ? kColors[place] : "";
  return code.empty() || text.empty() ? text : std::string(code) + text + "\x1b[0m";
}

/// Text that stays together on a line, and whether a space stood before it.
struct Word {
  std::string text;  ///< escaped and dressed
  std::size_t width = 0;
  bool after_space = false;
};

/// Splits at spaces, but never inside a number; pieces of different spans that touch stay together.
std::vector<Word> words_of(const Prose& prose, bool color) {
  std::vector<Word> result;
  bool space = false;
  bool open = false;
  const auto add = [&](const std::string& piece, Tone tone) {
    if (!open || space) {
      result.push_back({"", 0, space});
    }
    result.back().text += dressed(piece, tone, color);
    result.back().width += display_width(piece);
    open = true;
    space = false;
  };
  for (const Span& span : prose) {
    const std::string text = terminal_text(span_text(span, kSentenceLimits));
    if (span.tone == Tone::number || span.tone == Tone::name) {
      if (!text.empty()) {
        add(text, span.tone);
      }
      continue;
    }
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      if (end > at) {
        add(text.substr(at, end - at), span.tone);
      }
      space = space || end < text.size();
      at = end + 1;
    }
  }
  return result;
}

}  // namespace

std::string terminal_prose(const Prose& prose, std::size_t indent, const TerminalStyle& style) {
  const std::string margin(indent, ' ');
  std::string text = margin;
  std::size_t column = indent;
  for (const Word& word : words_of(prose, style.color)) {
    if (column > indent && column + 1 + word.width > style.width) {
      text += "\n" + margin;
      column = indent;
    } else if (column > indent && word.after_space) {
      text += ' ';
      ++column;
    }
    text += word.text;
    column += word.width;
  }
  return text + "\n";
}

std::string terminal_cell(const Prose& prose, std::size_t limit, const TerminalStyle& style) {
  return perf::joined(prose, "", [&](const Span& span) {
    return dressed(terminal_text(span_text(span, {limit, limit, style.tail})), span.tone,
                   style.color);
  });
}

std::size_t terminal_cell_width(const Prose& prose, std::size_t limit) {
  return display_width(terminal_cell(prose, limit, {}));
}

}  // namespace perf::reporter
