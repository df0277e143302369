#include "tests/schema/mutation/mutator.h"

#include <algorithm>
#include <array>

namespace perf {
namespace {

const std::array<std::string, 40> kTokens{"{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "\"",
                                          "\\",
                                          "\n",
                                          "\r",
                                          "null",
                                          "true",
                                          "false",
                                          "-1",
                                          "0",
                                          "1e999",
                                          "5e-324",
                                          "9007199254740993",
                                          "18446744073709551616",
                                          "-0",
                                          "NaN",
                                          "Infinity",
                                          "\"\\ud800\"",
                                          "\\u0000",
                                          std::string(1, '\0'),
                                          "\xff",
                                          "\xc3",
                                          "\xef\xbb\xbf",
                                          "//",
                                          "/*",
                                          "*/",
                                          "\"type\":\"begin\"",
                                          "\"seconds\":",
                                          "{\"type\":\"end\"}\n",
                                          "\"..\"",
                                          "\"-x\"",
                                          "\"%\"",
                                          "[[[[[[[[",
                                          "{\"a\":{\"a\":",
                                          "1e5"};

}  // namespace

std::string Mutator::next() {
  std::string text = seeds_[below(seeds_.size())];
  for (std::size_t times = 1 + below(4); times > 0; --times) {
    damage(text);
  }
  return text;
}

void Mutator::damage(std::string& text) {
  const std::size_t at = below(text.size() + 1);
  const std::size_t length = 1 + below(12);
  switch (below(7)) {
    case 0:
      if (at < text.size()) {
        text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1u << below(8)));
      }
      return;
    case 1:
      text.resize(at);
      return;
    case 2:
      text.erase(at, length);
      return;
    case 3:
      text.insert(at, text.substr(below(text.size() + 1), length * 8));
      return;
    case 4: {
      const std::string& other = seeds_[below(seeds_.size())];
      text.insert(at, other.substr(below(other.size() + 1), length * 8));
      return;
    }
    case 5:
      text.replace(at, std::min(length, text.size() - at), kTokens[below(kTokens.size())]);
      return;
    default:
      text.insert(at, kTokens[below(kTokens.size())]);
  }
}

}  // namespace perf
