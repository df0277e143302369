#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace perf {

/// The words of an enumeration, in the order of its values.
template <class Enum>
inline constexpr std::nullptr_t kWords{};

template <class Enum>
concept Worded = requires {
  kWords<Enum>.size();
};

constexpr std::string_view to_string(Worded auto value) {
  return kWords<decltype(value)>[static_cast<std::size_t>(value)];
}

/// The value of a word; nothing for an unknown one.
template <Worded Enum>
constexpr std::optional<Enum> named(std::string_view word) {
  const auto found = std::ranges::find(kWords<Enum>, word);
  return found == kWords<Enum>.end()
             ? std::nullopt
             : std::optional(static_cast<Enum>(found - kWords<Enum>.begin()));
}

}  // namespace perf
