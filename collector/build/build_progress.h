#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace perf {

/// How far a build is: `done` of `all` files, or percent with `all` = 100.
struct BuildProgress {
  int done = 0;
  int all = 0;
  bool percent = false;

  bool operator==(const BuildProgress&) const = default;
};

using TellBuildProgress = std::function<void(const BuildProgress&)>;

/// Reads the output of a build and calls `tell` for each line that begins with a status of Ninja,
/// "[3/140] ", or of make with CMake, "[ 12%] ".
class BuildProgressReader {
 public:
  explicit BuildProgressReader(TellBuildProgress tell) : tell_(std::move(tell)) {}

  void read(std::string_view output);

 private:
  TellBuildProgress tell_;
  std::string line_;  ///< its beginning
};

}  // namespace perf
