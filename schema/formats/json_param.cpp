#include "schema/formats/json_param.h"

#include <variant>

namespace perf::formats {
namespace {

Param read_param(const JsonMember& member) {
  const auto& data = member.value.data;
  if (const bool* truth = std::get_if<bool>(&data)) {
    return *truth;
  }
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&data)) {
    return *integer;
  }
  if (const double* number = std::get_if<double>(&data)) {
    return *number;
  }
  if (const std::string* text = std::get_if<std::string>(&data)) {
    return *text;
  }
  throw JsonFault{member.value.offset, "parameter " + in_quotes(member.name) +
                                           " must be text, a number, true or false, not " +
                                           std::string(kind_of(member.value))};
}

}  // namespace

Params read_params(const JsonValue& value, std::string_view subject) {
  Params params;
  for (const JsonMember& member : as_object(value, subject)) {
    if (member.name.empty()) {
      throw JsonFault{member.offset, "a parameter without a name"};
    }
    params[member.name] = read_param(member);
  }
  return params;
}

}  // namespace perf::formats
