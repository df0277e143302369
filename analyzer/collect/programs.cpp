#include <algorithm>
#include <cassert>
#include <cstddef>

#include "analyzer/collect/collection.h"

namespace perf {
namespace {

/// How far a commit is from the nearest of [begin, end) that has a mark; nothing has: 0 for all but
/// the first.
std::size_t distance(std::size_t commit, const std::vector<bool>& marked, std::size_t begin,
                     std::size_t end) {
  std::size_t nearest = end - begin;
  bool any = false;
  for (std::size_t i = begin; i < end; ++i) {
    if (marked[i]) {
      any = true;
      nearest = std::min(nearest, i > commit ? i - commit : commit - i);
    }
  }
  return any ? nearest : commit == begin ? 1 : 0;
}

void choose(std::size_t begin, std::size_t end, std::vector<bool>& marked,
            std::vector<bool>& chosen) {
  const auto at = [&marked](std::size_t i) {
    return marked.begin() + static_cast<std::ptrdiff_t>(i);
  };
  auto have = std::count(at(begin), at(end), true);
  for (; have < kCommitsOfProgram; ++have) {
    std::size_t best = begin, farthest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (const std::size_t far = distance(i, marked, begin, end); far > farthest) {
        best = i;
        farthest = far;
      }
    }
    if (farthest == 0) {
      return;  // all of them
    }
    marked[best] = chosen[best] = true;
  }
}

}  // namespace

std::vector<bool> commits_to_measure(const std::vector<std::string>& ids,
                                     const std::vector<bool>& measured) {
  assert(ids.size() == measured.size());
  std::vector<bool> marked = measured, chosen(ids.size(), false);
  for (std::size_t begin = 0, end = 0; begin < ids.size(); begin = end) {
    for (end = begin + 1; end < ids.size() && !ids[begin].empty() && ids[end] == ids[begin];
         ++end) {
    }
    choose(begin, end, marked, chosen);
  }
  return chosen;
}

}  // namespace perf
