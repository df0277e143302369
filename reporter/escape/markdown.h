#pragma once

#include <string>
#include <string_view>

namespace perf::reporter {

/// Text for GitHub-flavoured Markdown (GFM 0.29, sections 2.4, 6.1, 6.2): shows as the visible form
/// of `text` and as nothing else, in a paragraph, a list item or a table cell. No tag, emphasis,
/// link, autolink, formula or heading comes of it, and no mention and no reference: a zero-width
/// space follows each @, and stands before the number of `#1` and `GH-1`.
std::string markdown_text(std::string_view text);

/// The same, for text that may stand at the start of a line or list item: nothing becomes a list,
/// a quotation or a rule.
std::string markdown_line(std::string_view text);

/// A name as code: a code span where the name is plain, else <code> and entities, because a code
/// span cannot hold every name in every place (a pipe in a table, a backtick).
std::string markdown_code(std::string_view text);

/// A command inside <pre><code>, to be copied as it is: text inside an HTML element, in which
/// entities break what CI services take for a command in a log.
std::string html_command(std::string_view text);

}  // namespace perf::reporter
