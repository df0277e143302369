#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "collector/process/temporary_folder.h"

namespace perf::testing {

/// A small /proc, /sys and /etc of a machine that is not this one.
class FixtureTree {
 public:
  const std::filesystem::path& root() const { return folder_.path(); }
  FixtureTree& put(const std::string& file, const std::string& text) {
    const std::filesystem::path path = folder_.path() / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return *this;
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace perf::testing
