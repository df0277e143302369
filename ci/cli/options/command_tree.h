#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"
#include "schema/error.h"

namespace perf {

/// What may stand in a place of the command line; what a shell offers there.
enum class ValueKind { text, choice, file, folder, revision };

/// Puts the values of an option, which errors name, where they belong. Throws UsageError.
using ReadValues = std::function<void(const std::string& option,
                                      const std::vector<std::string>& values, Options& options)>;

/// An option of a command.
struct OptionEntry {
  std::vector<std::string> names;    ///< dashes included, the short one first: "-C", "--repo"
  std::string value;                 ///< "DIR"; empty: a flag
  ValueKind kind = ValueKind::text;  ///< of the value
  std::vector<std::string> choices;  ///< where kind is choice
  bool repeatable = false;
  std::string description;
  std::string_view group{};  ///< the heading that it stands under in help
  bool Options::*flag = nullptr;
  ReadValues read{};     ///< of what is no flag
  int most = 0;          ///< of a value that is a number from 1 on; 0: it is none
  bool several = false;  ///< repeatable, and takes any number of values at once
};

/// An argument that is known by its place.
struct ArgumentEntry {
  std::string name;  ///< "BASE"
  ValueKind kind = ValueKind::text;
  std::vector<std::string> choices;
  bool required = false;
  bool several = false;  ///< any number, from here to the end
  std::string description;
  ReadValues read{};
};

/// A command line as people write it, and what it does.
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
  std::vector<Example> examples{};  ///< none of those that explain themselves
  std::string_view group{};         ///< the heading that it stands under in help
};

/// The whole command line as plain data: what it is parsed by, and what help, the manual page and
/// shell completion are written from, so that none of them can fall behind it.
struct CommandTree {
  std::string program;
  std::string version;
  std::string description;
  std::vector<OptionEntry> options;  ///< those that stand without a command
  std::vector<CommandEntry> commands;
};

/// The five commands from a repository without a config to a history.
inline constexpr std::string_view kFirstCommands = "Getting started";

/// The command line of perf-compare.
const CommandTree& command_tree();

/// The command of a name; nullptr where there is none.
const CommandEntry* command_named(std::string_view name);

/// What may stand where a value has this name: names mean the same everywhere on the command line.
ValueKind kind_of(std::string_view value, const std::vector<std::string>& choices);

/// What a command means by one of its options, and what it calls its value, where that differs from
/// the table.
struct OptionUse {
  std::string_view name;
  std::string description{};
  std::string value{};
};

/// Of the table of all options (option_table.cpp) those that are named, with blanks between them,
/// in the order of the table, --help last.
std::vector<OptionEntry> options_of(const std::string& names,
                                    const std::vector<OptionUse>& uses = {});

/// What to try where arguments, a command's name in front, do not read: the option that was likely
/// meant by one that the command does not have, and where its options are listed.
std::string hint_for_arguments(const std::vector<std::string>& arguments);

/// The command, or `help`, that a name may have been meant for; empty where it is like none. A
/// revision may have the name all the same.
std::string likely_command(const std::string& name, const CommandTree& tree);

/// The error of a comparison that was asked wrongly; its hint begins with the command that BASE may
/// have been meant for.
UsageError with_likely_command(const UsageError& error, const Options& options);

// What the values of an option say. They are read once CLI11 is done, so that all errors read
// alike, with the option as their subject. Throws UsageError.

using Values = std::vector<std::string>;

/// Puts what `read` makes of the values into a member of Options.
template <typename Member, typename Read>
ReadValues into(Member Options::*member, Read read) {
  return [member, read](const std::string& option, const Values& values, Options& options) {
    options.*member = read(option, values);
  };
}
inline ReadValues into(std::string Options::*member) {
  return into(member, [](const std::string&, const Values& values) { return values.back(); });
}
inline ReadValues into(Values Options::*member) {
  return into(member, [](const std::string&, const Values& values) { return values; });
}

/// A number of commits.
int read_every(const std::string& option, const Values& values);
/// MAX or MIN:MAX; where there is no MIN, 0.
std::pair<int, int> read_pairs(const std::string& option, const Values& values);
/// A number of looks, 1 to 100.
int read_looks(const std::string& option, const Values& values);
/// I/N, 1 to N of at most 1,000.
Shard read_shard(const std::string& option, const Values& values);
std::uint64_t read_seed(const std::string& option, const Values& values);
/// A percentage that has to lie strictly between 0 and `percent`.
double read_share(const std::string& option, const Values& values, int percent);
/// s, more than 0.
double read_budget(const std::string& option, const Values& values);
/// `key=value` each.
std::vector<Setting> read_settings(const std::string& option, const Values& values);
/// `key=a,b,c`.
Setting read_variants(const std::string& option, const Values& values);

}  // namespace perf
