#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace perf::reporter {

/// Objects keep their keys sorted (std::map); doubles are written with the digits that round-trip.
using Json = nlohmann::json;

/// What is no number in JSON (NaN, infinities) is unknown: null.
inline Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

inline Json json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

inline Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// "2026-01-31T12:00:00Z" of seconds since the epoch; null beyond the years 0 to 9999.
Json json_time(std::int64_t seconds);

/// The text of a document, indented, with a final newline. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const Json& document);

}  // namespace perf::reporter
