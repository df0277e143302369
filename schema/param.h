#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace perf {

/// A workload parameter as the config or the protocol gave it.
using Param = std::variant<bool, std::int64_t, double, std::string>;

/// Parameters by name; sorted, because commands get them as `--key value` in this order.
using Params = std::map<std::string, Param>;

/// The text a command line carries: true/false, shortest round-trip numbers, strings as they are.
std::string to_text(const Param& value);

}  // namespace perf
