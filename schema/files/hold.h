#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "schema/files/descriptor.h"

namespace perf {

/// Locks an unfinished file or folder, to distinguish it from leftovers of killed processes: the
/// kernel releases the lock with the process, however that ends (flock(2)). On file systems without
/// such locks nothing can be held, and nothing counts as a leftover.
class Hold {
 public:
  Hold() = default;
  /// Holds a file or folder; does not follow links.
  explicit Hold(const std::filesystem::path& path);

  /// Held by this process, under its name.
  bool holds() const { return state_ == State::held; }
  /// Held by another process.
  bool is_taken() const { return state_ == State::taken; }
  /// Taken or removed by a process that took it for a leftover: to be created again.
  bool is_lost() const { return state_ == State::taken || state_ == State::gone; }

 private:
  enum class State { none, held, taken, gone };

  Descriptor file_;
  State state_ = State::none;
};

/// Calls `remove` for each entry of a folder that is owned by us, has a name that `is_ours`
/// accepts, and is held by no process; it is held meanwhile.
void sweep(const std::filesystem::path& folder,
           const std::function<bool(const std::string& name)>& is_ours,
           const std::function<void(const std::filesystem::path&)>& remove);

/// Removes files named `file` + `ending` + process number that killed processes left, and journals
/// of databases among them.
void sweep_parts(const std::filesystem::path& file, const std::string& ending);

}  // namespace perf
