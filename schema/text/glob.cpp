#include "schema/text/glob.h"

#include <algorithm>
#include <cstddef>

namespace perf {

// Greedy with one point of return: a later `*` makes an earlier one's length irrelevant, so that
// the time is at most |glob| x |text| whatever the glob (a recursive match is exponential).
bool glob_match(std::string_view glob, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_text = 0;
  std::size_t after_star = std::string_view::npos;
  std::size_t star_ends = 0;  // where the text taken by the last `*` ends
  while (in_text < text.size()) {
    if (at < glob.size() && glob[at] == '*') {
      after_star = ++at;
      star_ends = in_text;
    } else if (at < glob.size() && (glob[at] == '?' || glob[at] == text[in_text])) {
      ++at;
      ++in_text;
    } else if (after_star != std::string_view::npos) {
      at = after_star;
      in_text = ++star_ends;
    } else {
      return false;
    }
  }
  while (at < glob.size() && glob[at] == '*') {
    ++at;
  }
  return at == glob.size();
}

bool is_chosen(const std::vector<std::string>& globs, std::string_view text) {
  return globs.empty() || std::ranges::any_of(globs, [text](const std::string& glob) {
           return glob_match(glob, text);
         });
}

}  // namespace perf
