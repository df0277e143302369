#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// Least number of insertions, deletions, replacements and swaps of neighbours that make `b` of `a`
/// (optimal string alignment: Boytsov, Indexing methods for approximate dictionary searching,
/// JEA 2011, section 2.1); `limit` + 1 for anything above `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

/// The nearest of `known` to a name, within a third of its letters, at least one. Empty where none
/// is near.
std::string_view nearest_name(std::string_view name, const std::vector<std::string_view>& known);

/// The hint for an unknown name: `did you mean "command"?` where one is near, else all of them.
std::string instead_of(std::string_view name, const std::vector<std::string_view>& known);

}  // namespace perf
