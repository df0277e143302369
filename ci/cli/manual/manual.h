#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/cli/options/command_tree.h"
#include "schema/text/text_parts.h"

namespace perf {

/// `perf-compare --help`: the five commands that people need first, the others in groups, the exit
/// codes. One screen of 80 columns.
std::string render_help(const CommandTree& tree);

/// `perf-compare COMMAND --help`, in 80 columns.
std::string render_command_help(const CommandTree& tree, const CommandEntry& command);

/// What each exit status says, of every command that states none of its own.
struct ExitStatus {
  std::string code, meaning;
};
const std::vector<ExitStatus>& exit_statuses();

/// perf-compare.1, in the man(7) macros that groff and mandoc read.
std::string render_man_page(const CommandTree& tree);

/// Text of a man page, on one line: backslashes, dashes, quotes, and a dot or apostrophe that
/// begins it, stay what they are.
std::string roff_text(std::string_view text);

inline constexpr std::size_t kHelpColumns = 80;

/// The words of a text in lines of at most `columns`; a longer word has a line of its own.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// The paragraphs of a footer: its line ends are spaces, but for the one before "Exit status:".
std::vector<std::string> paragraphs(std::string_view footer);

/// "  TERM   explanation", the explanation in a column of its own that begins at `column`, below
/// the term where that is too long for it.
std::string definition(const std::string& term, std::string_view explanation, std::size_t column);

/// Scripts that complete commands, options, values that are one of a few words, files, folders and
/// revisions. Each is the whole of what its shell loads. What the repository holds (names of refs
/// and files) is data to all of them: it is compared and quoted, never evaluated.
std::string render_bash_completion(const CommandTree& tree);
std::string render_zsh_completion(const CommandTree& tree);
std::string render_fish_completion(const CommandTree& tree);

/// The shells that there is a script for: bash, fish, zsh.
const std::vector<std::string>& completion_shells();
/// The script of one of them.
std::string render_completion(const CommandTree& tree, const std::string& shell);

/// Text in single quotes, for bash and zsh.
std::string in_shell_quotes(std::string_view text);

/// Text on one line, a backslash before what is special.
std::string escaped(std::string_view text, std::string_view special);

/// What stands without a command, less what compare has as well (--help).
std::vector<OptionEntry> global_options(const CommandTree& tree);

/// Every name of an option that is followed by a value, or is not, of any command, sorted.
std::vector<std::string> option_names(const CommandTree& tree, bool with_value);

/// The names of the commands.
std::vector<std::string> command_names(const CommandTree& tree);

/// What a shell has for a kind of value, by the order of ValueKind.
std::string word_of(ValueKind kind, const std::array<std::string, 5>& words);

/// A text with each {{NAME}} in it, once, replaced by what stands for it.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace perf
