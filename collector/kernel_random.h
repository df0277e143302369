#pragma once

#include <cstdint>
#include <string>

namespace perf {

/// 128 random bits of the kernel in hexadecimal: what is made on different machines meets in one
/// store. Throws Error where the kernel gives none.
std::string new_id();

/// 32 random bits: short enough to type again, and exact in readers of JSON that know only
/// doubles. Throws Error where the kernel gives none.
std::uint32_t new_seed();

}  // namespace perf
