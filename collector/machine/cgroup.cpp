#include <algorithm>
#include <climits>
#include <string>
#include <vector>

#include "collector/machine/readings.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

std::optional<double> share(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::optional<double> quota_in(const std::filesystem::path& folder) {
  const std::string max = read_line_of(folder / "cpu.max");
  return max.empty() ? share(read_number(folder / "cpu.cfs_quota_us"),
                             read_number(folder / "cpu.cfs_period_us"))
                     : parse_cpu_max(max);
}

/// One line of /proc/self/cgroup, "ID:CONTROLLERS:PATH", where its controllers include CPU time.
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
  // Paths that leave the hierarchy, or are too long for system calls, count as its root.
  const bool outside = std::any_of(membership.group.begin(), membership.group.end(),
                                   [](const auto& part) { return part == ".."; });
  if (outside || line.size() >= PATH_MAX) {
    membership.group.clear();
  }
  return membership;
}

/// The folders of the groups from this process's to the root, of every hierarchy about CPU time.
std::vector<std::filesystem::path> group_folders(const std::filesystem::path& root) {
  const std::string text = read_small_file(root / "proc/self/cgroup");
  std::vector<std::filesystem::path> folders;
  for (std::string_view rest = text; !rest.empty();) {
    const std::optional<Membership> membership = parse_membership(take_line(rest));
    if (!membership) {
      continue;
    }
    for (const std::filesystem::path& mount : membership->mounts) {
      for (std::filesystem::path group = membership->group;; group = group.parent_path()) {
        folders.push_back(root / mount / group);
        if (group.empty()) {
          break;
        }
      }
    }
  }
  return folders;
}

}  // namespace

std::optional<double> parse_cpu_max(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) {
    return std::nullopt;
  }
  return share(whole_number(text.substr(0, space)), whole_number(text.substr(space + 1)));
}

std::optional<Throttling> parse_cpu_stat(std::string_view text) {
  const std::optional<std::int64_t> periods = parse_vmstat(text, "nr_periods"),
                                    throttled = parse_vmstat(text, "nr_throttled");
  return periods && throttled ? std::optional<Throttling>({*periods, *throttled}) : std::nullopt;
}

std::optional<double> read_cpu_quota(const std::filesystem::path& root) {
  std::optional<double> smallest;
  for (const std::filesystem::path& folder : group_folders(root)) {
    const std::optional<double> quota = quota_in(folder);
    if (quota && (!smallest || *quota < *smallest)) {
      smallest = quota;
    }
  }
  return smallest;
}

std::optional<Throttling> read_throttling(const std::filesystem::path& root) {
  std::optional<Throttling> most;
  for (const std::filesystem::path& folder : group_folders(root)) {
    const std::optional<Throttling> here = parse_cpu_stat(read_small_file(folder / "cpu.stat"));
    if (here && (!most || here->throttled > most->throttled)) {
      most = here;
    }
  }
  return most;
}

}  // namespace perf
