#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perf::formats {

/// The fields of one line: between them stand blanks, or one comma with or without blanks around
/// it. A field may stand in double quotes, where "" is a quote; two commas have an empty field
/// between them. An empty line has no fields; a quote that does not end takes the rest.
std::vector<std::string> separated_fields(std::string_view line);

}  // namespace perf::formats
