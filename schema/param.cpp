#include "schema/param.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "schema/text/text_parts.h"

namespace perf {
namespace {

template <class Number>
std::string shortest(Number value) {
  std::array<char, 32> buffer{};  // the longest double, -2.2250738585072014e-308, takes 24
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return std::string(buffer.data(), end);
}

struct ToText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return shortest(value); }
  std::string operator()(double value) const { return shortest(value); }
  std::string operator()(const std::string& value) const { return value; }
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether a text starts like a number of JSON: no plus, no leading zero, no bare point, no name.
bool starts_as_number(std::string_view text) {
  if (text.substr(0, 1) == "-") {
    text.remove_prefix(1);
  }
  return !text.empty() && is_digit(text[0]) &&
         (text[0] != '0' || text.size() == 1 || !is_digit(text[1]));
}

std::optional<double> number_of(const Param& value) {
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) {
    return static_cast<double>(*integer);
  }
  const double* real = std::get_if<double>(&value);
  return real != nullptr ? std::optional<double>(*real) : std::nullopt;
}

}  // namespace

std::string to_text(const Param& value) {
  return std::visit(ToText{}, value);
}

Param param_from_text(std::string_view text) {
  if (text == "true" || text == "false") {
    return text == "true";
  }
  if (starts_as_number(text) && text.back() != '.') {
    if (const auto integer = parsed<std::int64_t>(text)) {
      return *integer;
    }
    const auto real = parsed<double>(text);
    if (real && std::isfinite(*real)) {
      return *real;
    }
  }
  return std::string(text);
}

bool same_value(const Param& a, const Param& b) {
  const std::optional<double> left = number_of(a), right = number_of(b);
  return left && right ? *left == *right : to_text(a) == to_text(b);
}

}  // namespace perf
