#include "tests/docs/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace perf::test {
namespace {

bool begins(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

/// Removes code spans from a paragraph: a span may have several lines.
std::string without_code(const std::string& paragraph, std::vector<std::string>& code) {
  std::string rest;
  std::size_t at = 0;
  while (at < paragraph.size()) {
    const std::size_t open = paragraph.find('`', at);
    const std::size_t close = open == std::string::npos ? open : paragraph.find('`', open + 1);
    if (close == std::string::npos) {
      break;
    }
    rest += paragraph.substr(at, open - at) + "`";
    code.push_back(paragraph.substr(open + 1, close - open - 1));
    std::replace(code.back().begin(), code.back().end(), '\n', ' ');
    at = close + 1;
  }
  return rest + paragraph.substr(std::min(at, paragraph.size()));
}

/// Adds targets of links. Code was removed.
void add_links(const std::string& text, std::vector<std::string>& links) {
  for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    const std::size_t end = text.find(')', at);
    if (end != std::string::npos) {
      links.push_back(text.substr(at + 2, end - at - 2));
    }
  }
}

}  // namespace

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char character : heading) {
    const unsigned char byte = static_cast<unsigned char>(character);
    if (byte >= 0x80 || std::isalnum(byte) != 0 || character == '-' || character == '_') {
      anchor += static_cast<char>(std::tolower(byte));
    } else if (character == ' ') {
      anchor += '-';
    }
  }
  return anchor;
}

Page read_page(const std::filesystem::path& root, const std::string& name) {
  Page page;
  page.name = name;
  std::ifstream file(root / name);
  EXPECT_TRUE(file) << name;
  std::string line, paragraph;
  bool fenced = false, after_blank = true;
  const auto end_paragraph = [&] {
    add_links(without_code(paragraph, page.code), page.links);
    paragraph.clear();
  };
  while (std::getline(file, line)) {
    ++page.lines;
    const bool indented = begins(line, "    ") && (after_blank || paragraph.empty());
    if (begins(line, "```")) {
      end_paragraph();
      fenced = !fenced;
    } else if (fenced || indented) {
      page.code.push_back(line);
    } else if (begins(line, "#")) {
      end_paragraph();
      page.anchors.push_back(anchor_of(line.substr(std::min(line.find(' ') + 1, line.size()))));
      paragraph = line;
      end_paragraph();
    } else if (line.empty()) {
      end_paragraph();
    } else {
      paragraph += line + "\n";
    }
    after_blank = line.empty();
  }
  end_paragraph();
  EXPECT_FALSE(fenced) << name << ": a fence stays open";
  return page;
}

std::vector<Page> all_pages(const std::filesystem::path& root) {
  std::vector<std::string> names{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") {
      names.push_back("docs/" + entry.path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  std::vector<Page> pages;
  for (const std::string& name : names) {
    pages.push_back(read_page(root, name));
  }
  return pages;
}

}  // namespace perf::test
