#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf {

/// A commit, and how it was asked for.
struct Revision {
  std::string oid;                   ///< full hexadecimal object id
  std::vector<std::string> parents;  ///< full oids, first parent first
  std::int64_t committed_at =
      0;                ///< committer time, seconds since the epoch (for people; never for order)
  std::string author;   ///< name only, no address
  std::string subject;  ///< first line of the message
  std::string name;     ///< what the user wrote: "baseline", "HEAD", "v1.2", "."
  std::string rule;     ///< how the name led to the commit: "merge base of HEAD and origin/main"
  bool dirty = false;   ///< the commit is a snapshot of a modified working tree (`.`)
};

/// The rule of one side of `ab`: its name is the command, its subject the digest of the program
/// that was executed.
inline constexpr const char* kCommandRule = "command";

/// The rule of an item of `bisect --list`: the same, but its name is the item.
inline constexpr const char* kItemRule = "item";

inline bool is_command(const Revision& revision) {
  return revision.rule == kCommandRule || revision.rule == kItemRule;
}

/// A named pin on a revision.
struct Baseline {
  std::string name;
  std::string oid;
  std::string reason;
  std::string pinned_at;  ///< UTC, ISO 8601
};

/// Digits of an object id: short enough to copy from one line, long enough to stay unique.
inline constexpr std::size_t kShortOid = 12;

inline std::string short_oid(const std::string& oid) {
  return oid.substr(0, kShortOid);
}

}  // namespace perf
