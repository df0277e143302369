#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "schema/files/descriptor.h"

namespace perf {

/// Holds a file or folder in the making, so that others can tell it from what a killed process left
/// behind: the kernel ends the hold with the process, however that ends (flock(2)). Where a file
/// system knows no such locks nothing can be held, and nothing is taken for left behind.
class Hold {
 public:
  Hold() = default;
  /// Holds what stands there; follows no link.
  explicit Hold(const std::filesystem::path& path);

  /// Nobody else has it, and it still has its name.
  bool holds() const { return state_ == State::held; }
  /// Somebody else has it.
  bool is_taken() const { return state_ == State::taken; }
  /// Somebody who took it for left behind has it, or has removed it: to be made anew.
  bool is_lost() const { return state_ == State::taken || state_ == State::gone; }

 private:
  enum class State { none, held, taken, gone };

  Descriptor file_;
  State state_ = State::none;
};

/// Calls `remove` with what stands in a folder, is our own, bears a name that `is_ours` knows, and
/// that nobody holds; we hold it meanwhile.
void sweep(const std::filesystem::path& folder,
           const std::function<bool(const std::string& name)>& is_ours,
           const std::function<void(const std::filesystem::path&)>& remove);

/// Removes the files called `file` + `ending` + the number of a process that killed processes left,
/// and the journals of those that are databases.
void sweep_parts(const std::filesystem::path& file, const std::string& ending);

}  // namespace perf
