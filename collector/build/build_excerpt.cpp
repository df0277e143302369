#include "collector/build/build_excerpt.h"

#include <algorithm>
#include <array>
#include <fstream>

#include "collector/process/captured_text.h"

namespace perf {
namespace {

constexpr std::streamoff kReadFirst = 8
                                      << 20;  ///< B of a log that are searched for its first error
constexpr std::streamoff kReadLast = 64 << 10;  ///< B of a longer log's end

/// In lower case. Compilers, CMake, Cargo and Python say "error:", "error[E0425]", "CMake Error
/// at", "SyntaxError:"; the last three are linkers' and make's, which come too late or never to
/// that word.
constexpr std::array<std::string_view, 6> kErrors{
    "error:", "error[", "cmake error", "undefined reference to", "cannot find -l", "*** no rule"};

/// Without the escape sequences that colour it: ESC [ parameters letter.
std::string uncoloured(std::string_view line) {
  std::string text;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '\x1b' || at + 1 >= line.size() || line[at + 1] != '[') {
      text += line[at];
      continue;
    }
    at = std::min(line.find_first_not_of("0123456789;:?", at + 2), line.size() - 1);
  }
  return text;
}

bool reads_like_an_error(const std::string& line) {
  std::string lower = line;
  for (char& letter : lower) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return std::any_of(kErrors.begin(), kErrors.end(), [&lower](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

/// "      | ^~~~~": nothing without the columns above it.
bool is_underlining(const std::string& line) {
  return line.find_first_not_of("|^~- ") == std::string::npos;
}

std::string read_part(std::ifstream& in, std::streamoff begin, std::streamoff size) {
  std::string text(static_cast<std::size_t>(size), '\0');
  in.seekg(begin);
  in.read(text.data(), size);
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

}  // namespace

std::vector<std::string> build_excerpt(std::string_view output) {
  std::vector<std::string> lines;
  bool found = false;
  while (!output.empty() && !(found && lines.size() == kErrorLines)) {
    const std::string_view raw = output.substr(0, output.find('\n'));
    output.remove_prefix(std::min(raw.size() + 1, output.size()));
    std::string line = to_one_line(uncoloured(raw));
    if (is_underlining(line)) {
      continue;
    }
    if (!found && reads_like_an_error(line)) {
      found = true;
      lines.clear();
    }
    lines.push_back(std::move(line));
    if (lines.size() > kTailLines) {
      lines.erase(lines.begin());
    }
  }
  return lines;
}

std::string telling_line(const std::vector<std::string>& excerpt) {
  if (excerpt.empty()) {
    return {};
  }
  return reads_like_an_error(excerpt.front()) ? excerpt.front() : excerpt.back();
}

std::vector<std::string> excerpt_of_log(const std::filesystem::path& log) {
  std::ifstream in(log, std::ios::binary | std::ios::ate);
  const std::streamoff size = in ? static_cast<std::streamoff>(in.tellg()) : 0;
  if (size <= 0) {
    return {};
  }
  std::string text = read_part(in, 0, std::min(size, kReadFirst));
  if (size > kReadFirst) {
    const std::streamoff last = std::min(size - kReadFirst, kReadLast);
    text += read_part(in, size - last, last);
  }
  return build_excerpt(text);
}

}  // namespace perf
