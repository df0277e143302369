#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text/words.h"

namespace perf {

/// What a side of a comparison is: a commit; a command of `ab`; an item of `bisect --list`; files
/// that `judge` reads; what the store holds of a commit.
enum class SideKind { commit, command, item, files, store };

template <>
inline constexpr std::array<std::string_view, 5> kWords<SideKind>{"commit", "command", "item",
                                                                  "files", "store"};

/// A side, and how it was asked for. The oid of files is empty. A command's name is the command
/// (an item's the item), its subject the digest of the program that was executed.
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
  SideKind kind = SideKind::commit;
};

inline bool is_command(const Revision& revision) {
  return revision.kind == SideKind::command || revision.kind == SideKind::item;
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
