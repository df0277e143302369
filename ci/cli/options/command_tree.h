#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/error.h"

namespace perf {

/// The kind of a value, for shell completion.
enum class ValueKind { text, choice, file, folder, revision };

/// Parses the values of an option into Options. Throws UsageError.
using ReadValues = std::function<void(const std::string& option,
                                      const std::vector<std::string>& values, Options& options)>;

/// The values of an option that differ from its default, as they are written; a flag that is set
/// has one empty value.
using WriteValues = std::function<std::vector<std::string>(const Options& options)>;

/// An option of a command.
struct OptionEntry {
  std::vector<std::string> names;    ///< the short one first: "-C", "--repo"
  std::string value;                 ///< "DIR"; empty: a flag
  ValueKind kind = ValueKind::text;  ///< of the value
  std::vector<std::string> choices;  ///< if kind is choice
  bool repeatable = false;
  std::string description;
  std::string_view group{};  ///< the heading in the help
  bool Options::*flag = nullptr;
  ReadValues read{};      ///< not of flags
  bool several = false;   ///< repeatable, and takes any number of values at once
  WriteValues write{};    ///< may be empty, unless `decides`
  bool decides = false;   ///< what is measured or how it is judged: commands that reproduce have it
  bool required = false;  ///< not empty, and not only blanks
};

/// A positional argument.
struct ArgumentEntry {
  std::string name;  ///< "BASE"
  ValueKind kind = ValueKind::text;
  std::vector<std::string> choices;
  bool required = false;
  bool several = false;  ///< any number, from here to the end
  std::string description;
  ReadValues read{};
  std::string unless{};  ///< required, unless this option is given
};

/// A command line, and what it does.
struct Example {
  std::string command;
  std::string what;
};

struct CommandEntry {
  std::string name;
  std::string summary;  ///< one line
  std::string footer;   ///< paragraphs; the last one has the exit status
  std::vector<ArgumentEntry> arguments;
  std::vector<OptionEntry> options;                                ///< by their groups, --help last
  int (*run)(const Options& options, Spawner& spawner) = nullptr;  ///< returns the exit code
  std::vector<Example> examples{};                                 ///< empty if obvious
  std::string_view group{};                                        ///< the heading in the help
};

/// The whole command line as data, from which the parser, help, manual page and completion are
/// made.
struct CommandTree {
  std::string program;
  std::string version;
  std::string description;
  std::vector<OptionEntry> options;  ///< without a command
  std::vector<CommandEntry> commands;
};

/// The six commands from two programs, or a repository without a config, to a history.
inline constexpr std::string_view kFirstCommands = "Getting started";

/// The command line of perf-compare.
const CommandTree& command_tree();

/// The command of a name; nullptr if unknown.
const CommandEntry* command_named(std::string_view name);

/// The kind of values with this name, which is the same for all commands.
ValueKind kind_of(std::string_view value, const std::vector<std::string>& choices);

/// How an option of a command differs from the table.
struct OptionUse {
  std::string_view name;
  std::string description{};
  std::string value{};
  ReadValues read{};
  bool required = false;
  bool Options::*flag = nullptr;  ///< makes it a flag
};

/// The table of all options, in the order of the help.
const std::vector<OptionEntry>& option_table();

/// The group of the options that name the repository, the config and the store.
inline constexpr std::string_view kGeneralOptions = "General";

/// An option that cannot be combined with others.
struct Conflict {
  std::string option;
  std::vector<std::string> others;  ///< or names of arguments
  std::string hint{};
};
const std::vector<Conflict>& conflicts();

/// Options that require --confirm, in commands that have it.
inline const std::vector<std::string> kOptionsOfConfirm{"--pairs", "--alpha", "--budget", "--seed"};

/// Options of bisect that require --list.
inline const std::vector<std::string> kOptionsOfList{"--prepare", "--env", "--format", "--name"};

/// The options of the table that are named, with blanks between them, and --help.
std::vector<OptionEntry> options_of(const std::string& names,
                                    const std::vector<OptionUse>& uses = {});

/// The hint for invalid arguments, command first: the nearest option to an unknown one, and the
/// help of the command.
std::string hint_for_arguments(const std::vector<std::string>& arguments);

/// The command, or `help`, that a name may be a misspelling of; empty if there is none. The name
/// may still be a revision.
std::string likely_command(const std::string& name, const CommandTree& tree);

/// Adds the command that BASE may be a misspelling of, or `judge` where it is a file, to the hint
/// of a usage error.
UsageError with_likely_command(const UsageError& error, const Options& options);

// Readers of option values. They throw UsageError, so that all errors have the same form.

using Values = std::vector<std::string>;

void read_value(const std::string& option, const Values& values, std::string& value);
void read_value(const std::string& option, const Values& values, Values& value);
/// MAX or MIN:MAX; without MIN, 0.
void read_value(const std::string& option, const Values& values,
                std::optional<std::pair<int, int>>& value);
/// I/N, 1 to N of at most 1,000.
void read_value(const std::string& option, const Values& values, std::optional<Shard>& value);
/// `key=value` each.
void read_value(const std::string& option, const Values& values, std::vector<Setting>& value);
/// `key=a,b,c`.
void read_value(const std::string& option, const Values& values, std::optional<Setting>& value);

template <typename Member>
ReadValues into(Member Options::*member) {
  return [member](const std::string& option, const Values& values, Options& options) {
    read_value(option, values, options.*member);
  };
}

/// A whole number from 1 to `most`.
int read_number(const std::string& option, const Values& values, int most);
/// A percentage between 0 and `percent`, exclusive.
double read_share(const std::string& option, const Values& values, int percent);
void read_number_of_pairs(const std::string& option, const Values& values, Options& options);
void read_seed(const std::string& option, const Values& values, Options& options);
void read_budget(const std::string& option, const Values& values, Options& options);
void read_keep_steps(const std::string& option, const Values& values, Options& options);
void read_scale(const std::string& option, const Values& values, Options& options);

}  // namespace perf
