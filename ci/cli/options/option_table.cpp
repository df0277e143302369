#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ci/cli/manual/manual.h"
#include "ci/cli/options/command_tree.h"
#include "ci/cli/output/output.h"
#include "schema/config.h"
#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/policy.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"
#include "schema/workload.h"

namespace perf {
namespace {

/// "-C,--repo" -> -C and --repo.
std::vector<std::string> names_of(const std::string& names) {
  const std::size_t comma = names.find(',');
  return comma == std::string::npos ? Values{names}
                                    : Values{names.substr(0, comma), names.substr(comma + 1)};
}

OptionEntry valued(const std::string& names, const std::string& value, ReadValues read,
                   const std::string& description, const Values& choices = {}) {
  OptionEntry entry{names_of(names), value, kind_of(value, choices), choices, false, description};
  entry.read = std::move(read);
  return entry;
}

Values texts_of(bool) {
  return {""};
}
Values texts_of(const std::string& value) {
  return {value};
}
Values texts_of(const Values& values) {
  return values;
}
Values texts_of(const std::optional<Shard>& shard) {
  return {to_text(*shard)};
}
Values texts_of(const std::optional<std::pair<int, int>>& pairs) {
  const std::string most = std::to_string(pairs->second);
  return {pairs->first > 0 ? std::to_string(pairs->first) + ":" + most : most};
}
Values texts_of(const std::vector<Setting>& settings) {
  return mapped(settings, [](const Setting& setting) {
    return setting.key + "=" + joined(setting.values, ",");
  });
}
Values texts_of(const std::optional<Setting>& setting) {
  return texts_of(std::vector<Setting>{*setting});
}

template <typename Member>
WriteValues written_from(Member Options::*member) {
  return [member](const Options& options) {
    return options.*member == Options{}.*member ? Values{} : texts_of(options.*member);
  };
}

/// Of a vector: repeatable.
template <typename Member>
OptionEntry option(const std::string& names, const std::string& value, Member Options::*member,
                   const std::string& description, const Values& choices = {}) {
  OptionEntry entry = valued(names, value, into(member), description, choices);
  entry.write = written_from(member);
  entry.repeatable = !std::is_same_v<Member, std::string> && requires(Member all) {
    all.front();
  };
  return entry;
}

OptionEntry flag(const std::string& names, bool Options::*member, const std::string& description) {
  OptionEntry entry = valued(names, "", {}, description);
  entry.flag = member;
  entry.write = member != nullptr ? written_from(member) : WriteValues();
  return entry;
}

template <typename Member>
OptionEntry number(const std::string& name, Member Options::*member, int most,
                   const std::string& description) {
  const auto read = [member, most](const std::string& option, const Values& values,
                                   Options& options) {
    options.*member = read_number(option, values, most);
  };
  return valued(name, "N", read, description);
}

OptionEntry percentage(const std::string& name, std::optional<double> Options::*member, int limit,
                       const std::string& description) {
  const auto read = [member, limit](const std::string& option, const Values& values,
                                    Options& options) {
    options.*member = read_share(option, values, limit);
  };
  OptionEntry entry = valued(name, "PERCENT", read, description);
  entry.write = [member](const Options& options) {
    const std::optional<double>& share = options.*member;
    return share ? Values{fmt::format("{:.12g}%", 100 * *share)} : Values();
  };
  return entry;
}

OptionEntry budget() {
  OptionEntry entry = valued(
      "--budget", "DURATION", read_budget,
      "Measuring time; builds do not count (default " + duration_text(Policy{}.budget) + ")");
  entry.write = [](const Options& options) {
    return options.budget ? Values{fmt::format("{}s", *options.budget)} : Values();
  };
  return entry;
}

/// As many as a shell makes of FILE*.
OptionEntry files(const char* name, std::vector<std::string> Options::*member,
                  const char* description) {
  OptionEntry entry = option(name, "FILE...", member, description);
  entry.several = true;
  return entry;
}

/// The file of one of kOutputFormats.
OptionEntry report_file(std::string_view name) {
  const auto format = std::ranges::find(kOutputFormats, name, &OutputFormat::option);
  assert(format != kOutputFormats.end());
  return option(
      format->option, "FILE", format->file,
      std::string("Write the report as ") + format->title + " to FILE (- is standard output)");
}

/// Options that decide what is measured and how it is judged.
const std::string kDeciding =
    " --workload --metric --shard --since --history --budget --pairs --anchor --base-set "
    "--head-set --vary --confirm --control --measure --count --profile-changes --threshold --alpha "
    "--policy --prepare --base-dir --head-dir --env --base-env --head-env --shell --format --name "
    "--repo --config --db --list ";

/// Options under a heading of the help.
struct OptionGroup {
  std::string_view title;
  std::vector<OptionEntry> options;
};

Values known_formats() {
  const std::vector<std::string_view> foreign = formats::foreign_formats();
  Values names(foreign.begin(), foreign.end());
  names.emplace_back(kProcessFormat);
  return names;
}

constexpr int kMostNumber = 1000000;

std::vector<OptionGroup> option_groups() {
  return {
      {"Information",
       {flag("--version", nullptr,
             "Print the version; with --verbose also commit, compiler and libraries"),
        valued("--completion", "SHELL", {}, "Print the completion script of bash, fish or zsh",
               completion_shells()),
        flag("--man", nullptr, "Print the manual page, for man -l -")}},
      {"Selection",
       {option("--list", "FILE", &Options::list,
               "Search the lines of FILE instead of commits: each replaces {} in the COMMAND after "
               "--"),
        option("-w,--workload", "GLOB", &Options::workloads,
               "Only workloads that match (repeatable; * also matches /)"),
        option("--metric", "NAME", &Options::metrics,
               "Judge only this metric, such as step_time.p99 (repeatable)"),
        option("--size", "SIZE", &Options::size, "smoke, ci (default) or full",
               {kSizes.begin(), kSizes.end()}),
        number("--every", &Options::every, kMostNumber,
               "Only every Nth commit of a range, counted from its end"),
        option("--shard", "I/N", &Options::shard,
               "Measure part I of N, one per job; report --join judges all of them"),
        flag("--missing", &Options::missing, "Only what this machine has not measured yet"),
        flag("--programs", &Options::programs,
             "Trace every commit, but measure each program at only three of its commits"),
        option("--since", "WHEN", &Options::since,
               "Only changes since a revision, a day (2026-01-31) or a time ago (30d)"),
        flag("--history", &Options::history,
             "Judge head against the stored results of base and the commits before it"),
        files("--base", &Options::base_files, "Sessions of base, or folders of them"),
        files("--head", &Options::head_files, "Sessions of head, or folders of them"),
        option("--rev", "REV", &Options::import_rev,
               "The measured revision (default: from the file)"),
        option(
            "--environment", "NAME", &Options::environment,
            "The measured machine's name; . is this one (default: from the file, else this one)"),
        option("--as", "NAME", &Options::import_as,
               "Store the benchmarks in one series with the workload NAME"),
        valued("--keep-steps", "DURATION", read_keep_steps,
               "Keep raw steps younger than this (default " + duration_text(Options{}.keep_steps) +
                   ")"),
        option("--run", "ID", &Options::run, "Only this run and its dependencies"),
        option("--hub", "HUB", &Options::hub,
               "Pull from git:REMOTE, dir:FOLDER or postgres://... first, and push new runs "
               "afterwards"),
        option("--writer", "NAME", &Options::writer,
               "The name to push under (default: this host's id)"),
        flag("--all", &Options::all, "With index: recompute the points of all payloads"),
        flag("--points", &Options::with_points,
             "With a PostgreSQL hub: add the points to the JSON report"),
        flag("--untrusted", &Options::untrusted,
             "Push runs of untrusted code: a PostgreSQL hub separates them, and pull skips them"),
        number("--keep-months", &Options::keep_months, 1000,
               "With a hub: keep this month and the N-1 months before"),
        flag("--show", &Options::show, "Show the last calibration of this machine"),
        flag("--pins", &Options::with_pins,
             "Take their pins too; of two decisions about a name, the later one counts"),
        flag("--log", &Options::log, "Show every pin and unpin, with its reason"),
        number(
            "--limit", &Options::limit, kMostNumber,
            "Show at most N runs, newest first (default " + std::to_string(Options{}.limit) + ")"),
        files("--join", &Options::join, "Judge the stores of the shards of one comparison"),
        option("--reason", "TEXT", &Options::reason, "The reason, kept in the store")}},
      {"Measurement",
       {budget(),
        option("--pairs", "[MIN:]MAX", &Options::pairs,
               "Measure at most MAX, and at least MIN, pairs of each workload"),
        valued("--seed", "N", read_seed,
               "Seed of order, padding and workloads (default: random, reported)"),
        flag("--rebuild", &Options::rebuild, "Ignore cached builds"),
        option("--pool", "NAME", &Options::pool,
               "The pool of equal machines that this one belongs to; pools have separate series"),
        option(
            "--anchor", "NAME", &Options::anchor,
            "Measure in pairs with this baseline, so that another machine can continue the series"),
        option("--base-set", "KEY=VALUE", &Options::base_set,
               "Run base with this parameter (repeatable)"),
        option("--head-set", "KEY=VALUE", &Options::head_set,
               "Run head with this parameter (repeatable)"),
        option("--vary", "KEY=A,B,C", &Options::vary,
               "Compare settings of one revision, each with the first"),
        flag("--shell", &Options::shell, "Run the commands by sh -c: for pipes, variables, globs"),
        option("--prepare", "COMMAND", &Options::prepare,
               "Run COMMAND before each process, untimed"),
        option("--base-dir", "DIR", &Options::base_dir, "Run base in DIR (default: here)"),
        option("--head-dir", "DIR", &Options::head_dir, "Run head in DIR (default: here)"),
        option("--env", "KEY=VALUE", &Options::env, "Set a variable for both sides (repeatable)"),
        option("--base-env", "KEY=VALUE", &Options::base_env, "Set a variable for base alone"),
        option("--head-env", "KEY=VALUE", &Options::head_env, "Set a variable for head alone"),
        option("--format", "NAME", &Options::format,
               "How the output is read (default: steps, if base writes PERF_COMPARE_OUT, else "
               "process: time and memory of the whole process)",
               known_formats()),
        option("--name", "NAME", &Options::name, "The benchmark's name in the report"),
        flag("--confirm", &Options::confirm,
             "Run comparisons to confirm or reject new alerts and suspects"),
        flag("--control", &Options::control,
             "Also compare base with itself (A/A control): what this machine shows for identical "
             "code"),
        option("--measure", "WHAT", &Options::measure,
               "changed (default): skip workloads whose program is the same on both sides; or all",
               {"changed", "all"}),
        flag("--count", &Options::count, "Also count instructions: exact, even on noisy machines"),
        flag("--profile-changes", &Options::profile_changes,
             "Name the functions behind each change")}},
      {"Decision",
       {percentage("--threshold", &Options::threshold, 1000,
                   "The smallest relevant change, for every metric (default " +
                       percentage_text(Policy{}.threshold) + ")"),
        percentage(
            "--at-least", &Options::at_least, 1000,
            "The smallest gain that is accepted (default " + percentage_text(kLeastGain) + ")"),
        percentage(
            "--alpha", &Options::alpha, 50,
            "Error rate of the whole report (default " + percentage_text(Policy{}.alpha) + ")"),
        option("--policy", "SIDE", &Options::policy,
               "The config whose policy and targets apply: base or head (default: base if BASE is "
               "baseline, else head)",
               {"base", "head"}),
        number("--looks", &Options::looks, 100,
               "Number of looks (interim analyses) at the pairs while they were measured (default "
               "1: after a fixed number of pairs; comparisons have " +
                   std::to_string(Policy{}.looks) + ")"),
        flag("--together", &Options::together, "Use one error rate for all cases"),
        valued("--scale", "SCALE", read_scale,
               "log (default: relative changes) or linear (for values of 0 or less)",
               {"log", "linear"}),
        flag("--strict", &Options::strict, "Exit with 4 if a result is inconclusive or missing"),
        option("--fail-on", "KIND", &Options::fail_on,
               "Exit with 1 on findings without a decision: new (alerts), confirmed (alerts that a "
               "comparison confirmed) or event (new machine events with a regression); repeatable",
               {"new", "confirmed", "event"}),
        flag("--git-bisect", &Options::git_bisect,
             "Exit status for `git bisect run`: 0 not regressed, 1 regressed, else 125")}},
      {"Output",
       {report_file("--markdown"), report_file("--json"), report_file("--html"),
        option("--plots", "DIR", &Options::plots,
               "Write every picture of the HTML page to the folder DIR, as SVG"),
        report_file("--junit"), report_file("--openmetrics"),
        flag("--github", &Options::github, "Add the report to the summary of a GitHub job"),
        option("--color", "WHEN", &Options::color, "auto, always or never",
               {"auto", "always", "never"}),
        option("--outside", "DIR", &Options::outside,
               "Write a config and an example to DIR, for a benchmark that old commits lack"),
        flag("--try", &Options::try_out,
             "Build and run each workload once, and write only those that work"),
        flag("--force", &Options::force, "Overwrite an existing config"),
        flag("--dry-run", &Options::dry_run, "Print what would be deleted, and delete nothing")}},
      {kGeneralOptions,
       {option("-C,--repo", "DIR", &Options::repo,
               "The repository (default: the current folder's)"),
        option("--config", "FILE", &Options::config, "The config (default: perf-compare.json)"),
        option("--db", "FILE", &Options::db,
               "The store (default: .perf-compare/results.db in the repository)"),
        flag("-q,--quiet", &Options::quiet, "No progress on standard error"),
        flag("-v,--verbose", &Options::verbose, "Also print a line for every process"),
        flag("-h,--help", nullptr, "Print this help message and exit")}}};
}

}  // namespace

ValueKind kind_of(std::string_view value, const std::vector<std::string>& choices) {
  static const std::map<std::string_view, ValueKind> kinds{
      {"FILE", ValueKind::file},     {"FILE...", ValueKind::file},  {"HEAD_FILE", ValueKind::file},
      {"DB", ValueKind::file},       {"DIR", ValueKind::folder},    {"REV", ValueKind::revision},
      {"REV2", ValueKind::revision}, {"BASE", ValueKind::revision}, {"HEAD", ValueKind::revision},
      {"GOOD", ValueKind::revision}, {"BAD", ValueKind::revision}};
  if (!choices.empty()) {
    return ValueKind::choice;
  }
  const auto at = kinds.find(value);
  return at != kinds.end() ? at->second : ValueKind::text;
}

const std::vector<OptionEntry>& option_table() {
  static const std::vector<OptionEntry> table = [] {
    std::vector<OptionEntry> all;
    for (OptionGroup& group : option_groups()) {
      for (OptionEntry& entry : group.options) {
        entry.group = group.title;
        entry.decides = kDeciding.find(" " + entry.names.back() + " ") != std::string::npos;
        all.push_back(std::move(entry));
      }
    }
    return all;
  }();
  return table;
}

std::vector<OptionEntry> options_of(const std::string& names, const std::vector<OptionUse>& uses) {
  const std::string wanted = names + " --help ";
  std::vector<OptionEntry> options;
  for (OptionEntry entry : option_table()) {
    const std::string& name = entry.names.back();
    if (wanted.find(" " + name + " ") == std::string::npos) {
      continue;
    }
    for (const OptionUse& use : uses) {
      if (use.name == name) {
        entry.description = use.description;
        entry.value = use.value.empty() ? entry.value : use.value;
        entry.read = use.read ? use.read : entry.read;
        entry.required = use.required;
        if (use.flag != nullptr) {
          const std::string_view group = entry.group;
          entry = flag(name, use.flag, use.description);
          entry.group = group;
        }
      }
    }
    options.push_back(std::move(entry));
  }
  // A name that the table lacks would be left out silently.
  assert(static_cast<std::size_t>(std::ranges::count(wanted, ' ')) == options.size() + 1);
  return options;
}

const std::vector<Conflict>& conflicts() {
  static const std::vector<Conflict> conflicts{
      {"--shard", {"--git-bisect", "--strict"}, "perf-compare report --join judges the shards"},
      {"--outside", {"--try", "--dry-run", "--config"}},
      {"--show", {"--workload"}},
      {"--log", {"HEAD", "--dry-run"}},
      {"--list",
       {"GOOD", "BAD", "--repo", "--config", "--size", "--rebuild"},
       "perf-compare bisect --list FILE -- COMMAND {}"},
      {"--join", {"ID", "--db"}}};
  return conflicts;
}

}  // namespace perf
