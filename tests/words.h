#pragma once

#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace perf {

using Words = std::vector<std::string>;

inline Words words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// The words of each part of "one; the other".
inline std::vector<Words> words_of_parts(const std::string& text) {
  std::vector<Words> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ';');) {
    parts.push_back(words(part));
  }
  return parts;
}

}  // namespace perf
