#include "workloads/program/memory_limit.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace perf::workloads {

namespace {

namespace fs = std::filesystem;

// What the files of a version are called (cgroups(7); cgroup-v1/memory.rst and cgroup-v2.rst of the
// kernel's documentation).
struct Files {
  fs::path limit, usage;
  std::string cache;  // the line of memory.stat with the page cache that was not used of late
};
const Files kVersion1 = {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
const Files kVersion2 = {"memory.max", "memory.current", "inactive_file"};

// Version 1 says "no limit" by the largest number of whole pages.
constexpr std::size_t kUnlimited = std::size_t{1} << 62;

// The number that a file holds; none for "max", and where there is no file.
std::optional<std::size_t> number_in(const fs::path& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? std::optional(value) : std::nullopt;
}

std::size_t cache_in(const fs::path& group, const std::string& name) {
  std::ifstream file(group / "memory.stat");
  std::string word;
  for (std::size_t value = 0; file >> word >> value;) {
    if (word == name) {
      return value;
    }
  }
  return 0;
}

std::optional<std::size_t> left_by(const fs::path& group, const Files& files) {
  const auto limit = number_in(group / files.limit);
  if (!limit || *limit >= kUnlimited) {
    return std::nullopt;  // nothing more is read: a counted run repeats to the instruction
  }
  const auto usage = number_in(group / files.usage);
  if (!usage) {
    return std::nullopt;
  }
  const std::size_t used = *usage - std::min(*usage, cache_in(group, files.cache));
  return *limit - std::min(*limit, used);
}

// The least of a group and of all above it: each limits what is below.
std::optional<std::size_t> left_by_chain(const fs::path& root, fs::path group, const Files& files) {
  std::optional<std::size_t> least;
  for (;; group = group.parent_path()) {
    const auto left = left_by(root / group, files);
    if (left && (!least || *left < *least)) {
      least = left;
    }
    if (group.empty()) {
      return least;
    }
  }
}

}  // namespace

std::optional<std::size_t> memory_left_by_groups(const fs::path& root, const fs::path& membership) {
  std::ifstream file(membership);
  std::optional<std::size_t> least;
  for (std::string line; std::getline(file, line);) {  // 4:memory:/job, or 0::/job
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    std::optional<std::size_t> left;
    if (controllers.empty()) {
      left = left_by_chain(root, group, kVersion2);
    } else if (("," + controllers + ",").find(",memory,") != std::string::npos) {
      left = left_by_chain(root / "memory", group, kVersion1);
    }
    if (left && (!least || *left < *least)) {
      least = left;
    }
  }
  return least;
}

}  // namespace perf::workloads
