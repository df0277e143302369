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
///   - CSV with a header of `value`, also `series` (or `name`) and `index`, in any order of columns
///     and lines: the values are sorted by index. Without a header each line is series,index,value
///     or series,value, and a name has to occur twice;
///   - lines: a name, then its values.
/// In the last two, commas, blanks, single tabs or `;` are between fields (in a file with `;` only
/// that), a name may be in double quotes, with "" for a quote in it, and a name without them is not
/// a number; lines that begin with `# ` are comments. A gap is null, NaN, NA, None, an infinity, or
/// nothing between two commas. Throws UsageError with the place for anything else: invalid numbers,
/// duplicate series or indices, bad UTF-8, more than 64 MiB, no series at all in a text that is not
/// JSON.
std::vector<NamedSeries> read_series_file(std::string_view text, const std::string& filename);

}  // namespace formats
}  // namespace perf
