#pragma once

#include <string>

#include "ci/cli/options/command_tree.h"

namespace perf {

/// `perf-compare --help`: the five commands that people need first, the others in groups, the exit
/// codes. One screen of 80 columns.
std::string render_help(const CommandTree& tree);

/// `perf-compare COMMAND --help`, in 80 columns.
std::string render_command_help(const CommandTree& tree, const std::string& command);

/// "-C, --repo DIR"; a long name alone stands below the others: "    --db FILE".
std::string spelled(const OptionEntry& option);
/// "perf-compare trend [OPTIONS] [REV]".
std::string usage_of(const CommandTree& tree, const CommandEntry& command);

/// What belongs together, below its heading.
template <typename Entry>
struct HelpGroup {
  std::string title;
  std::vector<Entry> entries;
};
/// Commands, or options of one, by the headings that they name; what names none stands under
/// `others`, so that none is ever left out.
template <typename Entry>
std::vector<HelpGroup<Entry>> help_groups(const std::vector<Entry>& entries,
                                          const std::string& others) {
  std::vector<HelpGroup<Entry>> groups;
  for (const Entry& entry : entries) {
    const std::string title = entry.group.empty() ? others : std::string(entry.group);
    if (groups.empty() || groups.back().title != title) {
      groups.push_back({title, {}});
    }
    groups.back().entries.push_back(entry);
  }
  return groups;
}

/// What each exit status says, of every command that states none of its own.
struct ExitStatus {
  std::string code, meaning;
};
const std::vector<ExitStatus>& exit_statuses();

}  // namespace perf
