#include "collector/build/build_progress.h"

#include <algorithm>
#include <optional>

#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::size_t kLongestStatus = 32;  // B

/// "[3/140] Building ..." or "[ 12%] Building ...".
std::optional<BuildProgress> status_of(std::string_view line) {
  const std::size_t end = line.find("] ");
  if (!line.starts_with('[') || end == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view status = trimmed(line.substr(1, end - 1), " ");
  const bool percent = status.ends_with('%');
  const std::size_t split = percent ? status.size() - 1 : std::min(status.find('/'), status.size());
  const std::optional<int> done = parsed<int>(status.substr(0, split));
  const std::optional<int> all =
      percent ? 100 : parsed<int>(status.substr(std::min(split + 1, status.size())));
  if (!done || !all || *done < 0 || *done > *all) {
    return std::nullopt;
  }
  return BuildProgress{*done, *all, percent};
}

}  // namespace

void BuildProgressReader::read(std::string_view output) {
  while (!output.empty()) {
    const std::size_t end = output.find('\n');
    const std::string_view part = output.substr(0, end);
    line_.append(part.substr(0, kLongestStatus - std::min(kLongestStatus, line_.size())));
    if (end == std::string_view::npos) {
      return;
    }
    if (const std::optional<BuildProgress> status = status_of(line_)) {
      tell_(*status);
    }
    line_.clear();
    output.remove_prefix(end + 1);
  }
}

}  // namespace perf
