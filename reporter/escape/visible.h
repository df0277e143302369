#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace perf::reporter {

/// Text in which everything can be seen: white space of every kind becomes spaces, C0 controls
/// their pictures (U+2400..), and C1 controls, bidirectional overrides, zero-width and other
/// invisible characters `<U+202E>`. The result is valid UTF-8 without a byte below 0x20, and longer
/// at most ninefold.
std::string visible(std::string_view text);

/// The same JSON text with what cannot be seen (as `visible` has it, and zero-width joiners)
/// written as \uXXXX; C0 controls are escaped in any JSON. It parses to the same value.
std::string escape_unseen(std::string_view json);

/// The visible form with runs of white space made one space, and none at the ends.
std::string one_line(std::string_view text);

/// At most `limit` columns of a text, the middle replaced by an ellipsis: names differ at their
/// ends. The last `tail` columns stay: half of them, unless it is given.
std::string shortened(const std::string& text, std::size_t limit,
                      std::optional<std::size_t> tail = std::nullopt);

/// A `tail` with which no two of the texts become one; nothing where there is none.
std::optional<std::size_t> distinguishing_tail(const std::set<std::string>& texts,
                                               std::size_t limit);

/// The same of what rows are called.
std::optional<std::size_t> tail_of(const auto& rows, auto name, std::size_t limit) {
  std::set<std::string> names;
  for (const auto& row : rows) {
    names.insert(one_line(std::invoke(name, row)));
  }
  return distinguishing_tail(names, limit);
}

/// Columns a terminal gives to a text: 2 for East Asian wide characters and emoji, 0 for combining
/// marks. An approximation of Unicode TR11 that only aligns tables.
std::size_t display_width(std::string_view text);

}  // namespace perf::reporter
