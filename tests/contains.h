#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// Whether a text has this part; where that was expected otherwise, gtest prints both.
inline testing::AssertionResult contains(const std::string& text, std::string_view part) {
  const bool found = text.find(part) != std::string::npos;
  return testing::AssertionResult(found) << "\"" << part << "\" and the text:\n" << text;
}

/// Whether it has each of them; names the first that it lacks.
inline testing::AssertionResult contains_all(const std::string& text,
                                             const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (const testing::AssertionResult one = contains(text, part); !one) {
      return one;
    }
  }
  return testing::AssertionSuccess();
}

/// How often it has that part.
inline std::size_t occurrences(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace perf
