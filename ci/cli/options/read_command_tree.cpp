#include "ci/cli/options/read_command_tree.h"

#include <algorithm>
#include <initializer_list>
#include <sstream>
#include <string_view>

namespace perf {
namespace {

/// The words of a set as CLI11 describes it: "WHEN:{auto,always,never}" -> auto, always, never.
std::vector<std::string> choices_of(const std::string& type_name) {
  const std::size_t begin = type_name.find('{');
  const std::size_t end = type_name.rfind('}');
  std::vector<std::string> choices;
  if (begin == std::string::npos || end == std::string::npos || end < begin) {
    return choices;
  }
  const std::string rest = type_name.substr(begin + 1, end - begin - 1);
  std::istringstream words(rest);
  for (std::string word; std::getline(words >> std::ws, word, ',');) {
    choices.push_back(word);
  }
  return choices;
}

/// Names of values mean the same everywhere on the command line.
ValueKind kind_of(std::string_view value, const std::vector<std::string>& choices) {
  const auto is_one_of = [value](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), value) != names.end();
  };
  if (!choices.empty()) {
    return ValueKind::choice;
  }
  if (is_one_of({"FILE", "HEAD_FILE", "DB"})) {
    return ValueKind::file;
  }
  if (value == "DIR") {
    return ValueKind::folder;
  }
  if (is_one_of({"REV", "REV2", "BASE", "HEAD", "GOOD", "BAD"})) {
    return ValueKind::revision;
  }
  return ValueKind::text;
}

/// "N" of "N:INT in [1 - 9]", where the rest is what a check says of itself; a colon in brackets is
/// part of the name: "[MIN:]MAX".
std::string value_name(const std::string& type_name) {
  int depth = 0;
  for (std::size_t i = 0; i < type_name.size(); ++i) {
    depth += type_name[i] == '[' ? 1 : type_name[i] == ']' ? -1 : 0;
    if (type_name[i] == ':' && depth == 0) {
      return type_name.substr(0, i);
    }
  }
  return type_name;
}

OptionEntry read_option(const CLI::Option& option) {
  OptionEntry entry;
  for (const std::string& name : option.get_snames()) {
    entry.names.push_back("-" + name);
  }
  for (const std::string& name : option.get_lnames()) {
    entry.names.push_back("--" + name);
  }
  entry.description = option.get_description();
  if (option.get_items_expected_max() == 0) {
    return entry;
  }
  const std::string type = option.get_type_name();
  entry.value = value_name(type);
  entry.choices = choices_of(type);
  entry.kind = kind_of(entry.value, entry.choices);
  entry.repeatable = option.get_items_expected_max() > 1;
  return entry;
}

ArgumentEntry read_argument(const CLI::Option& option) {
  ArgumentEntry entry;
  entry.name = option.get_name(true);
  entry.choices = choices_of(option.get_type_name());
  entry.kind = kind_of(entry.name, entry.choices);
  entry.required = option.get_required();
  entry.several = option.get_items_expected_max() > 1;
  entry.description = option.get_description();
  return entry;
}

CommandEntry read_command(const CLI::App& app) {
  CommandEntry entry{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      entry.arguments.push_back(read_argument(*option));
    } else if (option != app.get_help_ptr()) {
      entry.options.push_back(read_option(*option));
    }
  }
  if (app.get_help_ptr() != nullptr) {
    entry.options.push_back(read_option(*app.get_help_ptr()));
  }
  return entry;
}

}  // namespace

CommandTree read_command_tree(const CLI::App& app, const std::string& version) {
  CommandTree tree{app.get_name(), version, app.get_description(), {}, {}};
  tree.options = read_command(app).options;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    tree.commands.push_back(read_command(*command));
  }
  return tree;
}

}  // namespace perf
