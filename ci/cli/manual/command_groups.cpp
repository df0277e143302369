#include "ci/cli/manual/command_groups.h"

#include <algorithm>
#include <string_view>

namespace perf {
namespace {

/// A title and the names that stand below it, in this order.
struct Shelf {
  std::string_view title;
  std::vector<std::string_view> names;
};

const std::vector<Shelf>& command_shelves() {
  static const std::vector<Shelf> shelves{
      {kFirstCommands, {"init", "compare", "selftest", "collect", "trend"}},
      {"Find the cause", {"bisect", "profile"}},
      {"Look at what was measured", {"report", "list", "show"}},
      {"Know the machine", {"doctor", "calibrate"}},
      {"Name what to compare with", {"pin", "unpin", "pins"}},
      {"Bring in what was measured elsewhere", {"judge", "detect", "import"}},
      {"Keep the store", {"merge", "export", "prune"}}};
  return shelves;
}

const std::vector<Shelf>& option_shelves() {
  static const std::vector<Shelf> shelves{
      {"What is taken",
       {"--workload", "--metric",   "--size",        "--every", "--missing",    "--anchor",
        "--since",    "--base-set", "--head-set",    "--vary",  "--stored",     "--base",
        "--head",     "--rev",      "--environment", "--as",    "--keep-steps", "--show",
        "--log",      "--limit",    "--reason",      "--scale"}},
      {"How it is judged",
       {"--threshold", "--alpha", "--budget", "--pairs", "--seed", "--together", "--confirm",
        "--control", "--count", "--profile-changes"}},
      {"What the exit status says", {"--strict", "--fail-on", "--git-bisect"}},
      {"Where the result goes",
       {"--markdown", "--json", "--html", "--plots", "--junit", "--openmetrics", "--metrics",
        "--github", "--color", "--force", "--dry-run"}},
      {"Where to work, and how loudly",
       {"--repo", "--config", "--db", "--quiet", "--verbose", "--help"}}};
  return shelves;
}

/// Moves what the shelves name out of `rest`, shelf by shelf; what stays goes to `others`.
template <typename Group, typename Entry, typename HasName>
std::vector<Group> sorted_in(const std::vector<Shelf>& shelves, std::vector<Entry> rest,
                             std::vector<Entry> Group::*entries, const HasName& has_name,
                             std::string_view others, std::size_t others_at) {
  std::vector<Group> groups;
  for (const Shelf& shelf : shelves) {
    Group group{std::string(shelf.title), {}};
    for (const std::string_view name : shelf.names) {
      const auto at = std::find_if(rest.begin(), rest.end(),
                                   [&](const Entry& entry) { return has_name(entry, name); });
      if (at == rest.end()) {
        continue;
      }
      (group.*entries).push_back(*at);
      rest.erase(at);
    }
    groups.push_back(std::move(group));
  }
  groups.insert(groups.begin() + static_cast<std::ptrdiff_t>(others_at),
                Group{std::string(others), std::move(rest)});
  groups.erase(std::remove_if(groups.begin(), groups.end(),
                              [&](const Group& group) { return (group.*entries).empty(); }),
               groups.end());
  return groups;
}

}  // namespace

std::vector<CommandGroup> command_groups(const CommandTree& tree) {
  return sorted_in<CommandGroup>(
      command_shelves(), tree.commands, &CommandGroup::commands,
      [](const CommandEntry& entry, std::string_view name) { return entry.name == name; },
      "Other commands", command_shelves().size());
}

std::vector<OptionGroup> option_groups(const CommandEntry& command) {
  return sorted_in<OptionGroup>(
      option_shelves(), command.options, &OptionGroup::options,
      [](const OptionEntry& entry, std::string_view name) {
        return std::find(entry.names.begin(), entry.names.end(), name) != entry.names.end();
      },
      "Other options", 0);
}

}  // namespace perf
