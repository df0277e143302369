#include "collector/build/build_excerpt.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "collector/process/captured_text.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::streamoff kReadFirst = 8
                                      << 20;  ///< B of a log that are searched for the first error
constexpr std::streamoff kReadLast = 64 << 10;  ///< B of a longer log's end

/// In lower case. Compilers, CMake, Cargo and Python write "error:", "error[E0425]", "CMake Error
/// at", "SyntaxError:"; the others are of linkers, make and Go, which write that word late or
/// never.
constexpr std::array<std::string_view, 8> kErrors{
    "error:",         "error[",      "cmake error", "undefined reference to",
    "cannot find -l", "*** no rule", "] killed",    "signal: killed"};

constexpr std::uintmax_t kLeastRoom = std::uintmax_t{1} << 20;  // B

/// strerror of ENOSPC and EDQUOT, and the messages of gcc, clang, make, ld and its caller, Cargo
/// and Go about processes that the kernel killed.
constexpr std::array<std::string_view, 2> kNoRoom{"No space left on device", "Disk quota exceeded"};
constexpr std::array<std::string_view, 8> kNoMemory{"Killed signal terminated program",
                                                    "Cannot allocate memory",
                                                    "execute command: Killed",
                                                    "] Killed",
                                                    "memory exhausted",
                                                    "signal 9 [Killed]",
                                                    "signal: 9, SIGKILL",
                                                    "signal: killed"};
/// Messages of git, curl, CMake, pip, Cargo and Go about an unreachable network.
constexpr std::array<std::string_view, 7> kNoNetwork{
    "resolve host",          "name resolution", "Name or service not known",
    "from versions: none",   "no such host",    "Failed to clone repository",
    "Network is unreachable"};

/// Whether one of the lines contains one of the words.
template <std::size_t count>
bool says_any(const std::vector<std::string>& excerpt,
              const std::array<std::string_view, count>& words) {
  return std::ranges::any_of(excerpt, [&](const std::string& line) {
    return std::ranges::any_of(
        words, [&](std::string_view word) { return line.find(word) != std::string::npos; });
  });
}

bool is_full(const std::filesystem::path& folder) {
  std::error_code unknown;
  const std::filesystem::space_info room = std::filesystem::space(folder, unknown);
  return !unknown && room.available < kLeastRoom;
}

/// Without escape sequences of colours: ESC [ parameters letter.
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
  return says_any({lower(line)}, kErrors);
}

/// " | ^~~~~": useless without the line above it.
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
    std::string line = to_one_line(uncoloured(take_line(output)));
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

std::string main_line(const std::vector<std::string>& excerpt) {
  if (excerpt.empty()) {
    return {};
  }
  if (!reads_like_an_error(excerpt.front())) {
    return excerpt.back();
  }
  const bool goes_on = excerpt.front().ends_with(':') && excerpt.size() > 1;  // CMake's place
  return excerpt.front() + (goes_on ? " " + excerpt[1] : "");
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

std::string remedy_of_machine(const ProcessResult& build, const std::vector<std::string>& excerpt,
                              const std::filesystem::path& folder) {
  if (build.timed_out) {
    return "raise the limit in the config: \"build\": { \"timeout\": \"2h\" }";
  }
  if (says_any(excerpt, kNoRoom) || is_full(folder)) {
    return "free space on the disk of " + folder.parent_path().string() +
           ", or set XDG_CACHE_HOME to another folder";
  }
  if (build.signal == SIGKILL || says_any(excerpt, kNoMemory)) {
    return "give the build more memory, or run fewer jobs at a time";
  }
  if (says_any(excerpt, kNoNetwork)) {
    return "give the build network access, or let it fetch from this machine "
           "(CPM_SOURCE_CACHE, -DFETCHCONTENT_SOURCE_DIR_NAME=, pip --no-build-isolation, cargo "
           "vendor)";
  }
  return "";
}

}  // namespace perf
