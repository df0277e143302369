#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "schema/metric.h"

namespace perf {

/// A number with so many decimals, locale-free.
std::string with_decimals(double value, int decimals);
/// "1.3", "2": one decimal where there is one.
std::string tenths(double value);

/// "8 %", "3.1 %", "0.4 %": the size of a relative change for a sentence, locale-free.
std::string percent(double relative);
/// "0.10 %", "0.00043 %": the same with two significant digits, however small, for exact changes.
std::string fine_percent(double relative);
/// "+8 %", "-3.1 %".
std::string signed_percent(double relative);

/// "1 pair", "2 pairs"; `many` where the plural is not one with an s: "1 row is", "2 rows are".
std::string counted(std::int64_t number, const std::string& one, const std::string& many = {});

/// "a, b and 3 more": the first of them, at most so many.
std::string some_of(const std::vector<std::string>& texts, std::size_t most);

/// The word for a change of this direction: slower or faster for times, larger or smaller for
/// bytes, else higher or lower.
std::string direction_word(const Metric& metric, double change);

}  // namespace perf
