#pragma once

#include <string>
#include <vector>

namespace perf {

/// What may stand in a place of the command line; what a shell offers there.
enum class ValueKind { text, choice, file, folder, revision };

/// An option of a command.
struct OptionEntry {
  std::vector<std::string> names;    ///< dashes included, the short one first: "-C", "--repo"
  std::string value;                 ///< "DIR"; empty: a flag
  ValueKind kind = ValueKind::text;  ///< of the value
  std::vector<std::string> choices;  ///< where kind is choice
  bool repeatable = false;
  std::string description;
};

/// An argument that is known by its place.
struct ArgumentEntry {
  std::string name;  ///< "BASE"
  ValueKind kind = ValueKind::text;
  std::vector<std::string> choices;
  bool required = false;
  bool several = false;  ///< any number, from here to the end
  std::string description;
};

struct CommandEntry {
  std::string name;
  std::string summary;  ///< one line
  std::string footer;   ///< paragraphs; the last one has the exit status
  std::vector<ArgumentEntry> arguments;
  std::vector<OptionEntry> options;  ///< in the order in which they were defined, --help last
};

/// The whole command line as plain data: what help, the manual page and shell completion are
/// written from, so that none of them can fall behind it.
struct CommandTree {
  std::string program;
  std::string version;
  std::string description;
  std::vector<OptionEntry> options;  ///< those that stand without a command
  std::vector<CommandEntry> commands;
};

}  // namespace perf
