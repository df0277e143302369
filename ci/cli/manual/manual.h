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

/// `perf-compare --help`: the first commands, the others in groups, the exit codes. One screen of
/// 80 columns.
std::string render_help(const CommandTree& tree);

/// `perf-compare COMMAND --help`, in 80 columns.
std::string render_command_help(const CommandTree& tree, const CommandEntry& command);

/// The exit statuses of commands that do not list their own.
struct ExitStatus {
  std::string code, meaning;
};
const std::vector<ExitStatus>& exit_statuses();

/// perf-compare.1, in the man(7) macros that groff and mandoc read.
std::string render_man_page(const CommandTree& tree);

/// Text for a man page, on one line, with roff's special characters escaped.
std::string roff_text(std::string_view text);

inline constexpr std::size_t kHelpColumns = 80;

/// A text in lines of at most `columns`; a longer word has its own line.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// The text before "Exit status:" and the one from there, newlines replaced by spaces.
std::vector<std::string> paragraphs(std::string_view footer);

/// "  TERM   explanation", with the explanation at `column`, below the term if that is too long.
std::string definition(const std::string& term, std::string_view explanation, std::size_t column);

/// Scripts that complete commands, options, choices, files, folders and revisions. They compare and
/// quote the names of refs and files, and never evaluate them.
std::string render_bash_completion(const CommandTree& tree);
std::string render_zsh_completion(const CommandTree& tree);
std::string render_fish_completion(const CommandTree& tree);

/// The supported shells: bash, fish, zsh.
const std::vector<std::string>& completion_shells();
/// The script of a shell.
std::string render_completion(const CommandTree& tree, const std::string& shell);

/// Text in single quotes, for bash and zsh.
std::string in_shell_quotes(std::string_view text);

/// Text on one line, with a backslash before each character of `special`.
std::string escaped(std::string_view text, std::string_view special);

/// The options without a command, except --help, which compare has as well.
std::vector<OptionEntry> global_options(const CommandTree& tree);

/// The sorted names of all options with a value, or without.
std::vector<std::string> option_names(const CommandTree& tree, bool with_value);

/// The names of the commands.
std::vector<std::string> command_names(const CommandTree& tree);

/// The word of a shell for a kind of value; `words` has the order of ValueKind.
std::string word_of(ValueKind kind, const std::array<std::string, 5>& words);

/// A text with each {{NAME}} replaced once.
std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& parts);

}  // namespace perf
