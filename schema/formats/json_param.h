#pragma once

#include <string_view>

#include "schema/formats/json_value.h"
#include "schema/param.h"

namespace perf::formats {

/// Parameters of a workload: an object of texts, numbers and truth values with non-empty names.
/// Throws JsonFault for anything else.
Params read_params(const JsonValue& value, std::string_view subject);

}  // namespace perf::formats
