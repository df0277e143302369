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

/// The texts that a function or a member gives for each element, with a separator between them.
template <class List, class Words>
std::string joined(const List& list, std::string_view separator, const Words& words_of) {
  std::string text;
  std::size_t taken = 0;
  for (const auto& one : list) {
    text += taken++ == 0 ? std::string_view() : separator;
    text += std::invoke(words_of, one);
  }
  return text;
}

}  // namespace perf
