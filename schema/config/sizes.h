#pragma once

#include <array>
#include <string_view>

namespace perf::config {

/// How much of everything is run: a taste, a CI job, the real thing.
inline constexpr std::array<std::string_view, 3> kSizes{"smoke", "ci", "full"};

}  // namespace perf::config
