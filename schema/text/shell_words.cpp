#include "schema/text/shell_words.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "schema/text/utf8.h"

namespace perf {
namespace {

constexpr std::string_view kBare =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-=:,@%+";

/// Valid UTF-8 without control characters, those of C1 (U+0080 to U+009F) included.
bool is_printable(std::string_view text) {
  const std::vector<char32_t> codes = decode_utf8(text);
  return is_utf8(text) && std::none_of(codes.begin(), codes.end(), is_control);
}

std::string escaped(std::string_view text) {
  std::string word = "$'";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\'' || letter == '\\') {
      word += '\\';
      word += letter;
    } else if (byte < 0x20 || byte >= 0x7F) {
      char octal[5];
      std::snprintf(octal, sizeof octal, "\\%03o", byte);
      word += octal;
    } else {
      word += letter;
    }
  }
  return word + "'";
}

/// How long the word is that `text` begins with: up to a space that nothing quotes.
std::size_t word_length(std::string_view text) {
  const bool has_escapes = text.substr(0, 2) == "$'";
  bool quoted = false;
  std::size_t at = 0;
  for (; at < text.size() && (quoted || text[at] != ' '); ++at) {
    if (text[at] == '\\' && quoted == has_escapes) {
      ++at;
    } else if (text[at] == '\'') {
      quoted = !quoted;
    }
  }
  return std::min(at, text.size());
}

/// What a bare or quoted word stands for, if shell_word wrote it.
std::string unquoted(std::string_view word) {
  const bool has_escapes = word.substr(0, 2) == "$'";
  std::string argument;
  bool quoted = false;
  for (std::size_t at = has_escapes ? 1 : 0; at < word.size(); ++at) {
    if (word[at] == '\'') {
      quoted = !quoted;
      continue;
    }
    if (word[at] == '\\' && quoted == has_escapes) {
      const auto octal = word.substr(at + 1, 3);
      if (octal.size() == 3 && octal.find_first_not_of("01234567") == std::string_view::npos) {
        argument +=
            static_cast<char>((octal[0] - '0') * 64 + (octal[1] - '0') * 8 + octal[2] - '0');
        at += 3;
        continue;
      }
      if (++at == word.size()) {
        break;
      }
    }
    argument += word[at];
  }
  return argument;
}

}  // namespace

std::optional<std::vector<std::string>> shell_words_of(std::string_view line) {
  std::vector<std::string> arguments;
  for (std::size_t at = 0; at <= line.size();) {
    const std::string_view word = line.substr(at, word_length(line.substr(at)));
    arguments.push_back(unquoted(word));
    // The one thing to trust is what writes them: another spelling is none of ours.
    if (shell_word(arguments.back()) != word) {
      return std::nullopt;
    }
    at += word.size() + 1;
  }
  return arguments;
}

std::string shell_word(std::string_view argument) {
  if (!is_printable(argument)) {
    return escaped(argument);
  }
  // NAME=VALUE where a command stands is an assignment; an option is none.
  const bool assigns = argument.find('=') != std::string_view::npos && argument.front() != '-';
  if (!argument.empty() && !assigns &&
      argument.find_first_not_of(kBare) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string word = "'";
  for (const char letter : argument) {
    word += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  }
  return word + "'";
}

SplitCommand split_command(std::string_view text) {
  constexpr std::string_view kBetween = " \t\n", kOfShell = "|&;<>()$`*?[", kInQuotes = "$`\"\\\n";
  SplitCommand split;
  std::string word;
  bool is_word = false;  // also where it is empty: ''
  char quote = 0;
  const auto end_word = [&] {
    if (std::exchange(is_word, false)) {
      split.words.push_back(std::exchange(word, {}));
    }
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char letter = text[at];
    const bool is_escape =
        letter == '\\' && at + 1 < text.size() &&
        (quote == 0 || (quote == '"' && kInQuotes.find(text[at + 1]) != std::string_view::npos));
    if (is_escape) {
      word += text[++at];
      is_word = true;
    } else if (quote == 0 ? letter == '\'' || letter == '"' : letter == quote) {
      quote = quote == 0 ? letter : '\0';
      is_word = true;
    } else if (quote == 0 && kBetween.find(letter) != std::string_view::npos) {
      end_word();
    } else if ((quote == 0 && (kOfShell.find(letter) != std::string_view::npos ||
                               (!is_word && (letter == '#' || letter == '~')))) ||
               (quote == '"' && (letter == '$' || letter == '`'))) {
      split.of_shell = letter;
      return split;
    } else {
      word += letter;
      is_word = true;
    }
  }
  if (quote != 0) {
    split.of_shell = quote == '"' ? "a \" without its end" : "a ' without its end";
  }
  end_word();
  if (!split.words.empty() && split.of_shell.empty()) {
    const std::string& first = split.words.front();
    const std::size_t equals = first.find('=');
    if (equals != std::string::npos && equals > 0 && first.find('/') > equals) {
      split.of_shell = first.substr(0, equals + 1);
    }
  }
  return split;
}

}  // namespace perf
