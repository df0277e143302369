#pragma once

#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// What tells the visitors of record_fields.h how a value is mapped.
namespace perf {

template <class>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class>
inline constexpr bool is_list = false;
template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class>
inline constexpr bool is_map = false;
template <class T>
inline constexpr bool is_map<std::map<std::string, T>> = true;

}  // namespace perf
