// `bisect --list`: the items of a file in place of commits.

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string_view>
#include <utility>

#include "analyzer/rule/early_looks.h"
#include "ci/cli/compare/bisect_work.h"
#include "ci/cli/compare/command_run.h"
#include "ci/cli/output/reproduce.h"
#include "collector/process/workload_runner.h"
#include "collector/randomness.h"
#include "collector/trace/built_tree.h"
#include "schema/error.h"
#include "schema/files/content.h"
#include "schema/files/descriptor.h"
#include "schema/text/shell_words.h"
#include "schema/text/text_parts.h"

namespace perf {
namespace {

constexpr std::string_view kItem = "{}";
constexpr std::size_t kLargestList = std::size_t{1} << 20;  // B

std::string text_of_list(const std::string& file) {
  const Descriptor opened = file == "-" ? Descriptor(fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
                                        : open_file(file, O_RDONLY | O_CLOEXEC);
  std::string text;
  const int failed = opened ? read_up_to(opened.number(), kLargestList + 1, text) : errno;
  if (failed != 0 && is_system_fault(failed)) {
    refuse_unreadable(file, failed);
  }
  if (failed != 0) {
    throw UsageError("the list cannot be read", "--list " + file + ": " + std::strerror(failed));
  }
  if (text.size() > kLargestList) {
    throw UsageError("list larger than 1 MiB", "--list " + file);
  }
  return text;
}

/// One item a line, without blank lines and comments.
std::vector<std::string> read_list(const std::string& file) {
  const std::string text = text_of_list(file);
  std::string_view left = text;
  if (left.starts_with("\xEF\xBB\xBF")) {
    left.remove_prefix(3);
  }
  std::vector<std::string> items;
  for (int line = 1; !left.empty(); ++line) {
    const std::string item(trimmed(take_line(left)));
    const std::string place = file + ":" + std::to_string(line);
    if (item.empty() || item.front() == '#') {
      continue;
    }
    if (std::ranges::any_of(item,
                            [](unsigned char c) { return (c < ' ' && c != '\t') || c == 127; })) {
      throw UsageError("an item has a control character", place);
    }
    if (std::ranges::find(items, item) != items.end()) {
      throw UsageError("duplicate item", place + ": " + item, "remove one of the two lines");
    }
    items.push_back(item);
  }
  if (items.size() < 2) {
    throw UsageError("a list needs two items, GOOD and BAD", "--list " + file,
                     "write one item a line, oldest first");
  }
  return items;
}

bool has_place(const std::vector<std::string>& words) {
  return std::ranges::any_of(
      words, [](const std::string& word) { return word.find(kItem) != std::string::npos; });
}

/// The words with the item in place of each {}: it never becomes several words.
std::vector<std::string> with_item(std::vector<std::string> words, const std::string& item) {
  for (std::string& word : words) {
    for (std::size_t at = word.find(kItem); at != std::string::npos;
         at = word.find(kItem, at + item.size())) {
      word.replace(at, kItem.size(), item);
    }
  }
  return words;
}

std::vector<std::string> preparation_of(const Options& options) {
  return options.prepare.empty() ? std::vector<std::string>()
                                 : words_of(options.prepare, "run it by sh -c 'COMMAND' sh {}");
}

/// The state of the files and folders that a command names: what a store has of others is not
/// theirs.
std::string state_of_words(const CommandSide& side) {
  std::string state;
  for (const std::string& word : side.workload.command) {
    const std::filesystem::path path = side.directory / word;
    if (std::error_code error; !word.empty() && std::filesystem::exists(path, error)) {
      state +=
          has_too_many_files(path) ? std::to_string(nanoseconds_now()) : built_tree_text(path, {});
    }
  }
  return state;
}

/// What is executed: not known before, if the preparation installs the item.
Revision revision_of(const BisectItem& item, bool installs, bool is_stored) {
  return command_revision(
      SideKind::item, item.name, item.side,
      installs ? "" : program_digest(executable_of(item.side.workload, item.side.directory)),
      is_stored ? state_of_words(item.side) : "");
}

std::string text_of_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + shell_word(word);
  }
  return text;
}

}  // namespace

std::vector<BisectItem> items_of(const Options& options) {
  if (options.words.empty()) {
    throw UsageError("missing argument", "COMMAND",
                     "perf-compare bisect --list FILE -- COMMAND {}");
  }
  const std::vector<std::string> prepare = preparation_of(options);
  CommandSide side;
  side.directory = std::filesystem::canonical(".");
  side.workload.command = options.words;
  side.workload.prepare = prepare;
  set_variables("--env", options.env, side.workload.env);
  const bool in_variables = std::ranges::any_of(
      side.workload.env, [](const auto& variable) { return has_place({variable.second}); });
  if (!has_place(options.words) && !has_place(prepare) && !in_variables) {
    throw UsageError("the command has no {} for the item", text_of_words(options.words),
                     "write {} where the item belongs, in the command, --env or --prepare");
  }
  if (!has_place({options.words.front()})) {
    require_program(side.workload, side.directory);
  }
  std::vector<BisectItem> items;
  for (const std::string& name : read_list(options.list)) {
    BisectItem& item = items.emplace_back(BisectItem{name, side});
    item.side.workload.command = with_item(options.words, name);
    item.side.workload.prepare = with_item(prepare, name);
    for (auto& [variable, value] : item.side.workload.env) {
      value = with_item({value}, name).front();
    }
  }
  return items;
}

BisectWork begin_bisect_of_items(Context& context, const std::vector<BisectItem>& items,
                                 ProgressView& progress) {
  const Options& options = context.options;
  const Policy policy = apply(Policy{}, options);
  require_any_look(policy, 1);
  const std::uint64_t seed = options.seed.value_or(new_seed());
  std::vector<CommandSide> sides;
  std::ranges::transform(items, std::back_inserter(sides), &BisectItem::side);
  name_and_format(sides, options, seed, policy, context.run_process);
  const bool installs = has_place(preparation_of(options));
  std::vector<Revision> line;
  for (std::size_t i = 0; i < items.size(); ++i) {
    line.push_back(revision_of({items[i].name, sides[i]}, installs, !options.db.empty()));
  }
  BisectWork work{
      context,
      plan_commands(context, line.front(), sides.front(), line.back(), sides.back(), seed),
      {progress}};
  warn_of_missing_supervisor(work.ends.plan);
  print_warnings(work.ends.plan, progress);
  work.line.assign(line.begin() + 1, line.end());
  work.items = std::move(sides);
  work.policy = policy;
  open_bisection(work, progress);
  return work;
}

const CommandSide& side_at(const BisectWork& work, int position) {
  return work.items[static_cast<std::size_t>(position + 1)];
}

std::string reproduce_list(const BisectWork& work) {
  const Options& options = work.context.options;
  return "perf-compare bisect" + deciding_options(options) + " --seed " +
         std::to_string(work.stored.seed) + " -- " + text_of_words(options.words);
}

std::string reproduce_items(const BisectWork& work, const Plan& plan, double threshold) {
  const PlannedWorkload& only = plan.workloads.front();
  if (!only.at_base || only.at_base->prepare != only.workload.prepare ||
      only.at_base->env != only.workload.env) {
    return reproduce_list(work);  // ab has one preparation
  }
  Options options = work.context.options;
  options.list.clear();
  options.workloads.clear();
  options.metrics = work.policy.metrics;
  options.threshold = threshold;
  return "perf-compare ab" + deciding_options(options) + " --seed " + std::to_string(plan.seed) +
         " -- " + shell_word(text_of_words(only.at_base->command)) + " " +
         shell_word(text_of_words(only.workload.command));
}

}  // namespace perf
