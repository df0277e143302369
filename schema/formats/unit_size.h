#pragma once

#include <optional>
#include <string_view>

#include "schema/formats/series_list.h"

namespace perf::formats {

/// Seconds in one of a unit of time, as benchmarks write it: ns, us (µs), ms, s, sec, seconds and
/// the like. Nothing for any other unit.
std::optional<double> seconds_in(std::string_view unit);

/// Bytes in one of a unit of size: B, bytes, KB, kB, MB, GB (powers of 1000), KiB, MiB, GiB.
std::optional<double> bytes_in(std::string_view unit);

/// B/op and allocs/op, as Go and its tools write them.
std::optional<Meaning> go_memory(std::string_view unit);

}  // namespace perf::formats
