#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace perf::test {

/// What a Markdown page says that can be wrong: where its links go, what its code names.
struct Page {
  std::string name;                  ///< from the root: "docs/ci.md"
  std::vector<std::string> links;    ///< as written, those in code left out
  std::vector<std::string> anchors;  ///< of its headings, as GitHub makes them
  std::vector<std::string> code;     ///< code spans, and each line of fenced or indented blocks
  int lines = 0;
};

Page read_page(const std::filesystem::path& root, const std::string& name);

/// README.md and its kin, and every page of docs/. Names are sorted.
std::vector<Page> all_pages(const std::filesystem::path& root);

/// The part of a link after '#' that leads to a heading of this text, as GitHub makes it.
std::string anchor_of(const std::string& heading);

}  // namespace perf::test
