#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace perf {

/// The results of `make`, a function or a member, for each element of a list, in order.
template <class List, class Make>
auto mapped(const List& list, const Make& make) {
  using Made = std::invoke_result_t<const Make&, decltype(*std::begin(list))>;
  std::vector<std::remove_cvref_t<Made>> made;
  made.reserve(std::size(list));
  for (const auto& one : list) {
    made.push_back(std::invoke(make, one));
  }
  return made;
}

/// The value of a key in a map; an empty one where it has none.
template <class Map>
typename Map::mapped_type value_or_empty(const Map& map, const typename Map::key_type& key) {
  const auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type() : found->second;
}

/// The texts of a list, or those that a function or a member gives for each element, with a
/// separator between them.
template <class List = std::vector<std::string>, class Words = std::identity>
std::string joined(const List& list, std::string_view separator, const Words& words_of = {}) {
  std::string text;
  std::size_t taken = 0;
  for (const auto& one : list) {
    text += taken++ == 0 ? std::string_view() : separator;
    text += std::invoke(words_of, one);
  }
  return text;
}

}  // namespace perf
