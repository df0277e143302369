#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

/// Values measured elsewhere, in order; a gap is NaN.
struct NamedSeries {
  std::string name;
  std::vector<double> values;
  std::vector<double> indices{};  ///< of the values, ascending, as a CSV has them; else none

  /// The index of a value, else its 0-based position.
  double index_of(std::size_t position) const {
    return indices.empty() ? static_cast<double>(position) : indices[position];
  }
};

namespace formats {

/// Reads series, in the order in which the file names them first, from any of
///   - JSON: {"NAME": [value, ...], ...};
///   - CSV, `series,index,value` a line, in any order: the values are sorted by index. The first
///     line may be those three words; without it, a name has to occur twice;
///   - lines: a name, then its values, with commas or blanks (or both) between.
/// In the last two a name may be in double quotes, with "" for a quote in it. A gap is null, NaN,
/// NA, None, an infinity, or nothing between two commas. Throws UsageError with the place for
/// anything else: invalid numbers, duplicate series or indices, bad UTF-8, more than 64 MiB, no
/// series at all in a text that is not JSON.
std::vector<NamedSeries> read_series_file(std::string_view text, const std::string& filename);

}  // namespace formats
}  // namespace perf
