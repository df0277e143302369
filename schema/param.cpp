#include "schema/param.h"

#include <array>
#include <charconv>

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

}  // namespace

std::string to_text(const Param& value) {
  return std::visit(ToText{}, value);
}

}  // namespace perf
