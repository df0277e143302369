#include "schema/text/nearest_name.h"

#include <algorithm>

namespace perf {
namespace {

/// A list longer than this helps nobody, in bytes.
constexpr std::size_t kListed = 300;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit)  // also keeps the rows below short whatever a file holds
  {
    return limit + 1;
  }
  std::vector<std::size_t> two_up(b.size() + 1), up(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    up[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = up[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({up[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], two_up[j - 2] + 1);
      }
    }
    two_up.swap(up);
    up.swap(row);
  }
  return std::min(up[b.size()], limit + 1);
}

std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known) {
  std::string_view nearest;
  std::size_t least = 0;
  for (const std::string_view candidate : known) {
    const std::size_t limit = std::max<std::size_t>(1, candidate.size() / 3);
    const std::size_t distance = edit_distance(name, candidate, limit);
    if (distance <= limit && (nearest.empty() || distance < least)) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

std::string instead_of(std::string_view name, const std::vector<std::string_view>& known) {
  const std::string_view nearest = nearest_name(name, known);
  if (!nearest.empty()) {
    return "did you mean \"" + std::string(nearest) + "\"?";
  }
  std::string all;
  for (const std::string_view candidate : known) {
    if (all.size() < kListed) {
      all.append(all.empty() ? "" : ", ").append(candidate);
    }
  }
  return "known: " + all + (all.size() < kListed ? "" : ", ...");
}

}  // namespace perf
