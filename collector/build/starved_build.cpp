#include "collector/build/starved_build.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace perf {
namespace {

constexpr std::uintmax_t kLeastRoom = std::uintmax_t{1} << 20;  // B

/// strerror of ENOSPC and EDQUOT, and what gcc says of a compiler that the kernel killed.
constexpr std::array<std::string_view, 2> kNoRoom{"No space left on device", "Disk quota exceeded"};
constexpr std::array<std::string_view, 2> kNoMemory{"Killed signal terminated program",
                                                    "Cannot allocate memory"};

template <std::size_t count>
bool says_any(const std::vector<std::string>& said,
              const std::array<std::string_view, count>& words) {
  return std::any_of(said.begin(), said.end(), [&](const std::string& line) {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return line.find(word) != std::string::npos; });
  });
}

bool is_full(const std::filesystem::path& folder) {
  std::error_code unknown;
  const std::filesystem::space_info room = std::filesystem::space(folder, unknown);
  return !unknown && room.available < kLeastRoom;
}

}  // namespace

std::string remedy_of_machine(const ProcessResult& build, const std::vector<std::string>& said,
                              const std::filesystem::path& folder) {
  if (says_any(said, kNoRoom) || is_full(folder)) {
    return "make room on the disk of " + folder.parent_path().string() +
           ", or name another place for the build cache: XDG_CACHE_HOME";
  }
  if (build.signal == SIGKILL || says_any(said, kNoMemory)) {
    return "give the build more memory, or let it run fewer jobs at a time";
  }
  return "";
}

}  // namespace perf
