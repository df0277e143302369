#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

#include "schema/json/value_kinds.h"
#include "schema/param.h"
#include "schema/report.h"
#include "schema/text/utc_time.h"

namespace perf {

/// Objects keep their keys sorted (std::map); doubles are written with the digits that round-trip.
using Json = nlohmann::json;

template <class Value>
Json json_of(const Value& value);

/// The visitor of record_fields.h that adds the fields of a record to an object.
class JsonWriter {
 public:
  explicit JsonWriter(Json& object) : object_(object) {}

  template <class Value>
  void operator()(const std::string& name, const Value& value) {
    object_[name] = json_of(value);
  }
  void or_null(const std::string& name, const std::string& text) {
    object_[name] = text.empty() ? Json(nullptr) : Json(text);
  }
  void time(const std::string& name, std::int64_t seconds) { or_null(name, utc_text(seconds)); }
  template <class Fields>
  void within(const std::string& name, const Fields& fields) {
    JsonWriter inner(object_[name]);
    fields(inner);
  }

 private:
  Json& object_;
};

/// A value as JSON: enumerations as their words, records by their fields. What is no number in JSON
/// (NaN, infinities) is unknown: null.
template <class Value>
Json json_of(const Value& value) {
  if constexpr (std::is_floating_point_v<Value>) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
  } else if constexpr (std::is_enum_v<Value>) {
    return std::string(to_string(value));
  } else if constexpr (is_optional<Value>) {
    return value ? json_of(*value) : Json(nullptr);
  } else if constexpr (std::is_same_v<Value, Interval>) {
    const bool known = std::isfinite(value.low) && std::isfinite(value.high);
    return known ? Json::array({value.low, value.high}) : Json(nullptr);
  } else if constexpr (std::is_same_v<Value, Param>) {
    return std::visit([](const auto& held) { return json_of(held); }, value);
  } else if constexpr (is_list<Value>) {
    Json list = Json::array();
    for (const auto& one : value) {
      list.push_back(json_of(one));
    }
    return list;
  } else if constexpr (is_map<Value>) {
    Json object = Json::object();
    for (const auto& [name, one] : value) {
      object[name] = json_of(one);
    }
    return object;
  } else if constexpr (std::is_class_v<Value> &&
                       !std::is_convertible_v<const Value&, std::string_view>) {
    Json object = Json::object();
    JsonWriter writer(object);
    fields(writer, value);
    return object;
  } else {
    return value;
  }
}

/// On one line; bytes that are no UTF-8 become U+FFFD.
inline std::string one_line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace perf
