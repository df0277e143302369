#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perf::test {

/// The links and the code of a Markdown page.
struct Page {
  std::string name;                  ///< from the root: "docs/ci.md"
  std::vector<std::string> links;    ///< as written, without those in code
  std::vector<std::string> anchors;  ///< of its headings, as GitHub makes them
  std::vector<std::string> code;     ///< code spans, and each line of fenced or indented blocks
  int lines = 0;
};

Page read_page(const std::filesystem::path& root, const std::string& name);

/// README.md, CONTRIBUTING.md, CHANGELOG.md and docs/*.md, sorted by name.
std::vector<Page> all_pages(const std::filesystem::path& root);

/// The anchor that GitHub makes of a heading.
std::string anchor_of(const std::string& heading);

}  // namespace perf::test
