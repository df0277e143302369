#pragma once

#include <string>

namespace perf::testing {

/// Acts out one of the ways to outlive a deadline; false when there is no such way. Whatever it
/// starts is so many processes at a time as `number` says, and ends by itself after two minutes.
bool evade(const std::string& way, int number);

/// Stays, ignoring every signal that can be ignored.
[[noreturn]] void stay_deaf();

}  // namespace perf::testing
