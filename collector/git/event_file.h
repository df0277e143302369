#pragma once

#include <optional>
#include <string>

namespace perf {

/// What matters of the event file that GitHub Actions names in GITHUB_EVENT_PATH. Absent where the
/// file does not say it or is no such file.
struct EventFile {
  std::optional<std::string> before;             ///< push: the commit before
  std::optional<std::string> pull_request_head;  ///< oid
  std::optional<std::string> pull_request_base;  ///< oid; may be older than the test merge
  std::optional<std::string> merge_group_base;   ///< oid
};

/// Reads an event file; anything unreadable, too large or malformed gives an empty record, because
/// the event only improves on rules that hold without it.
EventFile read_event_file(const std::string& path);

}  // namespace perf
