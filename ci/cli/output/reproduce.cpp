#include "ci/cli/output/reproduce.h"

#include <algorithm>

#include "ci/cli/options/command_tree.h"
#include "schema/revision.h"
#include "schema/text/shell_words.h"

namespace perf {
namespace {

std::string name_of(const Revision& revision) {
  // A snapshot of a working tree has no ref: it can only be measured in its repository.
  return revision.dirty ? "." : revision.oid.substr(0, kShortOid);
}

/// The options of the table that differ from their defaults, each after a space; of one group, or
/// of all.
std::string changed_options(const Options& options, std::string_view group = {}) {
  std::string text;
  for (const OptionEntry& entry : option_table()) {
    if (!entry.decides || (!group.empty() && entry.group != group)) {
      continue;
    }
    for (const std::string& value : entry.write(options)) {
      text += " " + entry.names.front() + (entry.value.empty() ? "" : " " + shell_word(value));
    }
  }
  return text;
}

}  // namespace

std::string place_options(const Options& options) {
  return changed_options(options, kGeneralOptions);
}

std::string deciding_options(const Options& options) {
  return changed_options(options);
}

std::string reproduce_command(const std::string& command, const Plan& plan,
                              const Options& options) {
  return "perf-compare " + command + " --size " + plan.size + deciding_options(options) +
         " --seed " + std::to_string(plan.seed);
}

std::vector<std::string> reproduce_commands(const Plan& plan, const Options& options,
                                            const std::string& verb) {
  const std::string base = plan.base ? name_of(*plan.base) : "baseline";
  Options again = options;
  if (std::ranges::find(plan.warnings, WarningKind::policy_of_base, &Warning::kind) !=
      plan.warnings.end()) {
    again.policy = "base";  // the default for another BASE is head
  }
  return {reproduce_command(verb + base + " " + name_of(plan.head), plan, again)};
}

}  // namespace perf
