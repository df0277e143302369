#include "schema/store/reproduce_line.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "schema/shell_words.h"

namespace perf::store {
namespace {

constexpr std::array<std::string_view, 3> kCommands{"bisect", "calibrate", "collect"};
constexpr std::array<std::string_view, 15> kSettings{
    "-C",       "--alpha", "--anchor",    "--base-set", "--budget",
    "--config", "--db",    "--head-set",  "--metric",   "--pairs",
    "--seed",   "--size",  "--threshold", "--vary",     "-w"};
constexpr std::array<std::string_view, 4> kFlags{"--control", "--count", "--profile-changes",
                                                 "--stored"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_revision(std::string_view word) {
  const bool is_hex = word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return word == "." || word == "baseline" || (!word.empty() && is_hex);
}

}  // namespace

bool is_reproduce_line(const std::string& line) {
  const auto words = shell_words_of(line);
  if (!words || words->size() < 2 || words->front() != "perf-compare") {
    return false;
  }
  const bool has_command = is_one_of(kCommands, (*words)[1]);
  for (std::size_t i = has_command ? 2 : 1; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (is_one_of(kSettings, word)) {
      ++i;  // its value, whatever it is: one word
    } else if (!is_one_of(kFlags, word) && !is_revision(word)) {
      return false;
    }
  }
  return true;
}

}  // namespace perf::store
