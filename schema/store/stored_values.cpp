#include <algorithm>
#include <array>
#include <string_view>

#include "schema/error.h"
#include "schema/payload.h"
#include "schema/store/internal.h"
#include "schema/text/shell_words.h"

namespace perf::store {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz";
constexpr std::size_t kSha1 = 40, kSha256 = 64;  // hexadecimal digits
constexpr std::size_t kLongestId = 100, kLongestSize = 20;

bool is_of(std::string_view text, std::string_view letters) {
  return text.find_first_not_of(letters) == std::string_view::npos;
}

void require(bool holds, const char* what, const std::string& value) {
  if (!holds) {
    throw Error(what, value.substr(0, kLongestId), kNotOurs);
  }
}

constexpr std::array<std::string_view, 3> kCommands{"bisect", "calibrate", "collect"};
constexpr std::array<std::string_view, 18> kSettings{
    "-C",     "--alpha",    "--anchor",  "--base-set",  "--budget", "--config",
    "--db",   "--head-set", "--measure", "--metric",    "--pairs",  "--policy",
    "--seed", "--shard",    "--size",    "--threshold", "--vary",   "-w"};
constexpr std::array<std::string_view, 3> kFlags{"--control", "--count", "--profile-changes"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_revision(std::string_view word) {
  const bool is_hex = word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return word == "." || word == "baseline" || (!word.empty() && is_hex);
}

}  // namespace

void require_oid(const std::string& oid) {
  require((oid.size() == kSha1 || oid.size() == kSha256) && is_of(oid, "0123456789abcdef"),
          "the store has an invalid commit id", oid);
}

void require_run_id(const std::string& id) {
  require(is_run_id(id), "the store has an invalid run id", id);
}

void require_size(const std::string& size) {
  require(!size.empty() && size.size() <= kLongestSize && is_of(size, kLower),
          "the store has an invalid size", size);
}

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
