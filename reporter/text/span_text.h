#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporter/document.h"

namespace perf::reporter {

/// What an output grants to text out of data, in columns; our own words are never cut.
struct TextLimits {
  std::size_t name = 0;
  std::size_t data = 0;
  std::optional<std::size_t> tail{};  ///< of a name that is cut: columns of its end; none: half
};

/// The text of a span before escaping: data on one line, everything visible, shortened to the
/// limits.
std::string span_text(const Span& span, const TextLimits& limits);

/// The texts of a sentence in a row, before escaping.
std::string prose_text(const Prose& prose, const TextLimits& limits);

/// A sentence as plain text on one line, for outputs that know no emphasis: everything in it can be
/// seen, long names and texts are shortened. Not escaped for any output.
std::string plain_prose(const Prose& prose);

/// Several, joined by "; ".
std::string plain_sentences(const std::vector<Prose>& sentences);

}  // namespace perf::reporter
