#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "schema/files/content.h"

namespace perf::formats {

/// The texts of tests/schema/formats/files/NAME.*, examples of the format NAME (with _ for -).
inline std::vector<std::string> example_texts(std::string_view format) {
  std::string name(format);
  std::ranges::replace(name, '-', '_');
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(PERF_SOURCE_DIR "/tests/schema/formats/files")) {
    if (entry.path().stem() == name && entry.path().extension() != ".cpp") {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const std::filesystem::path& file : files) {
    texts.push_back(content_of(file));
  }
  return texts;
}

}  // namespace perf::formats
