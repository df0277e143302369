#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perf {

inline constexpr std::size_t kHelpColumns = 80;

/// The words of a text in lines of at most `columns`; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// The paragraphs of a footer: its line ends are spaces, but for the one before "Exit status:".
std::vector<std::string> paragraphs(std::string_view footer);

/// "  TERM   explanation", the explanation in a column of its own that begins at `column`, below
/// the term where that is too long for it.
std::string definition(const std::string& term, std::string_view explanation, std::size_t column);

}  // namespace perf
