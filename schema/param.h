#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace perf {

/// A workload parameter, from the config or the protocol.
using Param = std::variant<bool, std::int64_t, double, std::string>;

/// Parameters by name; sorted, because commands get them as `--key value` in this order.
using Params = std::map<std::string, Param>;

/// The text for command lines: true/false, shortest round-trip numbers, strings unchanged.
std::string to_text(const Param& value);

/// The way back, for values that people type: true and false, whole numbers, numbers and else text,
/// as in JSON (so that `01`, `+1`, `nan` and `0x10` are text). Whole numbers beyond 64 bits are
/// numbers.
Param param_from_text(std::string_view text);

/// Whether two values are the same to a command line: 4 and 4.0 are, and "4" is.
bool same_value(const Param& a, const Param& b);

}  // namespace perf
