#include "collector/machine/cgroup.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <string>
#include <vector>

#include "collector/machine/small_file.h"

namespace perf {
namespace {

std::optional<long long> whole_number(std::string_view text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool all = end == text.data() + text.size() && !text.empty();
  return error == std::errc() && all ? std::optional<long long>(value) : std::nullopt;
}

std::optional<double> share(std::optional<long long> quota, std::optional<long long> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> quota_in(const std::filesystem::path& folder) {
  if (const std::optional<std::string> max = read_line_of(folder / "cpu.max")) {
    return parse_cpu_max(*max);
  }
  return share(whole_number(read_line_of(folder / "cpu.cfs_quota_us").value_or("")),
               whole_number(read_line_of(folder / "cpu.cfs_period_us").value_or("")));
}

/// One line of /proc/self/cgroup, "ID:CONTROLLERS:PATH", where it is about CPU time.
struct Membership {
  std::vector<std::filesystem::path> mounts;  ///< where its hierarchy may be mounted
  std::filesystem::path group;                ///< relative
};

std::optional<Membership> parse_membership(std::string_view line) {
  const std::size_t first = line.find(':');
  const std::size_t second = line.find(':', first == std::string_view::npos ? first : first + 1);
  if (second == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string controllers(line.substr(first + 1, second - first - 1));
  Membership membership;
  membership.group =
      std::filesystem::path(line.substr(second + 1)).relative_path().lexically_normal();
  const std::filesystem::path mount = "sys/fs/cgroup";
  if (controllers.empty()) {
    membership.mounts = {mount, mount / "unified"};
  } else if (("," + controllers + ",").find(",cpu,") != std::string::npos) {
    membership.mounts = {mount / "cpu", mount / "cpu,cpuacct"};
  } else {
    return std::nullopt;
  }
  // Paths that leave the hierarchy, or that no system call takes, are read as its root.
  const bool outside = std::any_of(membership.group.begin(), membership.group.end(),
                                   [](const auto& part) { return part == ".."; });
  if (outside || line.size() >= PATH_MAX) {
    membership.group.clear();
  }
  return membership;
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) {
    return std::nullopt;
  }
  return share(whole_number(text.substr(0, space)), whole_number(text.substr(space + 1)));
}

std::optional<double> read_cpu_quota(const std::filesystem::path& root) {
  const std::string text = read_small_file(root / "proc/self/cgroup").value_or("");
  std::optional<double> smallest;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::optional<Membership> membership =
        parse_membership(std::string_view(text).substr(at, end - at));
    at = end + 1;
    if (!membership) {
      continue;
    }
    for (const std::filesystem::path& mount : membership->mounts) {
      for (std::filesystem::path group = membership->group;; group = group.parent_path()) {
        const std::optional<double> quota = quota_in(root / mount / group);
        if (quota && (!smallest || *quota < *smallest)) {
          smallest = quota;
        }
        if (group.empty()) {
          break;
        }
      }
    }
  }
  return smallest;
}

}  // namespace perf
