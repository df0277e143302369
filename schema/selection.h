#pragma once

#include <cstddef>
#include <span>

namespace perf {

/// The value of this rank (0 is the least) among more than `rank` values, which are reordered as by
/// std::nth_element: Hoare's selection ("Algorithm 65: find", CACM 4 (1961), 321-322), without
/// branches on values where they are many.
double nth_in_place(std::span<double> values, std::size_t rank);

/// The median; the mean of the middle two of an even number; NaN of none. Linear time; the values
/// are reordered.
double median_in_place(std::span<double> values);

}  // namespace perf
