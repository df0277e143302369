#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.h"
#include "schema/report.h"

/// Reading JSON that lies in a column. The file may be a stranger's: what is not of the kind that
/// we write is an Error, never undefined.
namespace perf::store {

using Json = nlohmann::json;

[[noreturn]] inline void throw_damaged(std::string_view text) {
  throw Error("the store holds a damaged column", std::string(text.substr(0, 80)),
              "it was not written by this program; do not use it");
}

/// Levels of nesting; our own have at most six. Writing a value recurses into it, so a stranger's
/// could end the process.
inline constexpr int kDeepest = 64;

/// A column's value, if it is of that kind. The only way in for what a column holds.
inline Json parsed_as(std::string_view text, bool (Json::*is_kind)() const noexcept) {
  const auto not_too_deep = [text](int depth, Json::parse_event_t event, Json&) {
    const bool begins =
        event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
    if (begins && depth >= kDeepest) {
      throw_damaged(text);
    }
    return true;
  };
  Json json = Json::parse(text, not_too_deep, /*allow_exceptions=*/false);
  if (!(json.*is_kind)()) {
    throw_damaged(text);
  }
  return json;
}

/// A member of an object; null where there is none.
inline const Json& member(const Json& object, const char* key) {
  static const Json nothing;
  if (!object.is_object()) {
    throw_damaged(std::string(object.type_name()) + " in place of an object with " + key);
  }
  const auto found = object.find(key);
  return found == object.end() ? nothing : *found;
}

inline const Json& member(const Json& object, const char* key,
                          bool (Json::*is_kind)() const noexcept) {
  const Json& value = member(object, key);
  if (!(value.*is_kind)()) {
    throw_damaged(key);
  }
  return value;
}

inline std::string text_in(const Json& object, const char* key) {
  return member(object, key, &Json::is_string).get<std::string>();
}

inline bool flag_in(const Json& object, const char* key) {
  return member(object, key, &Json::is_boolean).get<bool>();
}

inline std::optional<bool> maybe_flag_in(const Json& object, const char* key) {
  return member(object, key).is_null() ? std::nullopt : std::optional<bool>(flag_in(object, key));
}

inline double number_in(const Json& object, const char* key) {
  return member(object, key, &Json::is_number).get<double>();
}

inline std::optional<double> maybe_number_in(const Json& object, const char* key) {
  return member(object, key).is_null() ? std::nullopt
                                       : std::optional<double>(number_in(object, key));
}

/// A statistic: what there is no number for is NaN again.
inline double statistic_in(const Json& object, const char* key) {
  return maybe_number_in(object, key).value_or(std::numeric_limits<double>::quiet_NaN());
}

inline int count_in(const Json& object, const char* key) {
  const auto value = member(object, key, &Json::is_number_integer).get<std::int64_t>();
  if (value < 0 || value > std::numeric_limits<int>::max()) {
    throw_damaged(key);
  }
  return static_cast<int>(value);
}

inline std::optional<Interval> interval_in(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_null()) {
    return std::nullopt;
  }
  if (!value.is_array() || value.size() != 2 || !value[0].is_number() || !value[1].is_number()) {
    throw_damaged(key);
  }
  return Interval{value[0].get<double>(), value[1].get<double>()};
}

/// Statistics that do not exist (0/0) are null, as they are in a report.
inline Json derived(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

inline Json interval_json(const std::optional<Interval>& interval) {
  return interval && std::isfinite(interval->low) && std::isfinite(interval->high)
             ? Json::array({interval->low, interval->high})
             : Json(nullptr);
}

/// Columns are text with sorted keys; invalid UTF-8 is replaced.
inline std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace perf::store
