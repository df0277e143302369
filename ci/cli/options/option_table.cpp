#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ci/cli/manual/manual.h"
#include "ci/cli/options/command_tree.h"
#include "ci/cli/output/output.h"
#include "schema/config.h"
#include "schema/error.h"
#include "schema/policy.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"

namespace perf {
namespace {

/// "-C,--repo" -> -C and --repo.
std::vector<std::string> names_of(const std::string& names) {
  const std::size_t comma = names.find(',');
  return comma == std::string::npos ? Values{names}
                                    : Values{names.substr(0, comma), names.substr(comma + 1)};
}

OptionEntry flag(const std::string& names, bool Options::*member, const std::string& description) {
  OptionEntry entry{names_of(names), "", ValueKind::text, {}, false, description};
  entry.flag = member;
  return entry;
}

OptionEntry valued(const std::string& names, const std::string& value, ReadValues read,
                   const std::string& description, const Values& choices = {}) {
  OptionEntry entry{names_of(names), value, kind_of(value, choices), choices, false, description};
  entry.read = std::move(read);
  return entry;
}

OptionEntry repeatable(OptionEntry entry) {
  entry.repeatable = true;
  return entry;
}

OptionEntry several(OptionEntry entry) {
  entry.several = true;
  return repeatable(std::move(entry));
}

/// The file of one of kOutputFormats.
OptionEntry report_file(std::string_view option) {
  const auto format = std::ranges::find(kOutputFormats, option, &OutputFormat::option);
  assert(format != kOutputFormats.end());
  return valued(
      format->option, "FILE", into(format->file),
      std::string("Write the report as ") + format->title + " to FILE (- is standard output)");
}

constexpr int kMostNumber = 1000000;

template <typename Member>
ReadValues number_into(Member Options::*member, int most) {
  return into(member, [most](const std::string& option, const Values& values) {
    return read_number(option, values, most);
  });
}

ReadValues share_into(std::optional<double> Options::*member, int percent) {
  return into(member, [percent](const std::string& option, const Values& values) {
    return read_share(option, values, percent);
  });
}

OptionEntry conflicting(OptionEntry entry, Values with, const std::string& hint = {}) {
  entry.conflicts = {std::move(with), hint};
  return entry;
}

OptionEntry needing(OptionEntry entry, const std::string& other) {
  entry.needs = other;
  return entry;
}

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(bool) {
  return {};
}
std::string text_of(const std::pair<int, int>& pairs) {
  return (pairs.first > 0 ? std::to_string(pairs.first) + ":" : "") + std::to_string(pairs.second);
}
std::string text_of(const Shard& shard) {
  return to_text(shard);
}
std::string text_of(const Setting& setting) {
  return setting.key + "=" + joined(setting.values, ",");
}
std::string percent_text(double share) {
  return fmt::format("{:.12g}%", 100 * share);
}
std::string seconds_text(double seconds) {
  return fmt::format("{}s", seconds);
}

template <typename Value, typename Text>
Values texts_of(const Value& value, const Text& text) {
  return {text(value)};
}
template <typename Value, typename Text>
Values texts_of(const std::optional<Value>& value, const Text& text) {
  return {text(*value)};  // it differs from the default, which is none
}
template <typename Value, typename Text>
Values texts_of(const std::vector<Value>& values, const Text& text) {
  return mapped(values, text);
}

/// An option that decides what is measured and how it is judged.
template <typename Member, typename Text>
OptionEntry decides(OptionEntry entry, Member Options::*member, const Text& text) {
  entry.write = [member, text](const Options& options) {
    return options.*member == Options{}.*member ? Values{} : texts_of(options.*member, text);
  };
  return entry;
}
template <typename Member>
OptionEntry decides(OptionEntry entry, Member Options::*member) {
  return decides(std::move(entry), member, [](const auto& value) { return text_of(value); });
}
OptionEntry deciding_flag(const std::string& name, bool Options::*member,
                          const std::string& description) {
  return decides(flag(name, member, description), member);
}

/// Options under a heading of the help.
struct OptionGroup {
  std::string_view title;
  std::vector<OptionEntry> options;
};

/// Options that judge stored results conflict with those of a measurement.
OptionEntry measures_nothing(OptionEntry entry) {
  return conflicting(std::move(entry), {"--base-set", "--head-set", "--vary", "--control",
                                        "--count", "--shard", "--profile-changes"});
}

std::vector<OptionGroup> option_groups() {
  return {
      {"Information",
       {flag("--version", nullptr,
             "Print the version; with --verbose also commit, compiler and libraries"),
        valued("--completion", "SHELL", {}, "Print the completion script of bash, fish or zsh",
               completion_shells()),
        flag("--man", nullptr, "Print the manual page, for man -l -")}},
      {"Selection",
       {decides(repeatable(valued("-w,--workload", "GLOB", into(&Options::workloads),
                                  "Only workloads that match (repeatable; * also matches /)")),
                &Options::workloads),
        decides(repeatable(valued("--metric", "NAME", into(&Options::metrics),
                                  "Judge only this metric (repeatable)")),
                &Options::metrics),
        valued("--size", "SIZE", into(&Options::size), "smoke, ci (default) or full",
               {kSizes.begin(), kSizes.end()}),
        valued("--every", "N", number_into(&Options::every, kMostNumber),
               "Only every Nth commit of a range, counted from its end"),
        conflicting(
            decides(
                valued("--shard", "I/N", into(&Options::shard, read_shard),
                       "Measure only the Ith of N parts, one per job; report --join judges them"),
                &Options::shard),
            {"--git-bisect", "--strict", "--stored", "--history"},
            "perf-compare report --join judges the shards"),
        flag("--missing", &Options::missing, "Only what this machine has not measured yet"),
        flag("--programs", &Options::programs,
             "Trace every commit, but measure each program at only three of its commits"),
        decides(valued("--since", "WHEN", into(&Options::since),
                       "Only changes since a revision, a day (2026-01-31) or for a duration (30d)"),
                &Options::since),
        measures_nothing(
            deciding_flag("--stored", &Options::stored,
                          "Measure nothing: judge the stored results of the two revisions")),
        measures_nothing(deciding_flag(
            "--history", &Options::history,
            "Measure nothing: judge the stored results of head against base and the commits "
            "before it")),
        repeatable(
            valued("--base", "FILE", into(&Options::base_files), "A session of base (repeatable)")),
        repeatable(
            valued("--head", "FILE", into(&Options::head_files), "A session of head (repeatable)")),
        valued("--rev", "REV", into(&Options::import_rev),
               "The measured revision (default: from the file)"),
        valued("--environment", "NAME", into(&Options::environment),
               "The measured machine's name; . is this one (default: from the file, else this "
               "one)"),
        valued("--as", "NAME", into(&Options::import_as),
               "Store the benchmarks in one series with the workload NAME"),
        valued("--keep-steps", "DURATION",
               into(&Options::keep_steps,
                    [](const std::string& option, const Values& values) {
                      return parse_duration(values.back(), option);
                    }),
               "Keep raw steps younger than this (default 90d)"),
        valued("--run", "ID", into(&Options::run), "Only this run and its dependencies"),
        valued("--hub", "HUB", into(&Options::hub),
               "Pull from git:REMOTE, dir:FOLDER or postgres://... first, and push new runs "
               "afterwards"),
        valued("--writer", "NAME", into(&Options::writer),
               "The name to push under (default: this host's id)"),
        flag("--all", &Options::all, "index: recompute the points of all payloads"),
        flag("--points", &Options::with_points,
             "With a PostgreSQL hub: add the points to the JSON report"),
        flag("--untrusted", &Options::untrusted,
             "Push runs of untrusted code: a PostgreSQL hub separates them, and pull skips them"),
        valued("--keep-months", "N", number_into(&Options::keep_months, 1000),
               "Of a hub: keep this month and the N-1 before"),
        conflicting(flag("--show", &Options::show, "Show the last calibration of this machine"),
                    {"--workload"}),
        flag("--log", &Options::log, "Show every pin and unpin, with its reason"),
        valued("--limit", "N", number_into(&Options::limit, kMostNumber),
               "Show at most N runs, newest first (default 20)"),
        conflicting(several(valued("--join", "FILE...", into(&Options::join),
                                   "Judge the stores of the shards of one comparison")),
                    {"ID", "--db"}),
        valued("--reason", "TEXT", into(&Options::reason), "The reason, kept in the store")}},
      {"Measurement",
       {needing(decides(valued("--budget", "DURATION", into(&Options::budget, read_budget),
                               "Measuring time, without builds (default " +
                                   duration_text(Policy{}.budget) + ")"),
                        &Options::budget, seconds_text),
                "--confirm"),
        needing(decides(valued("--pairs", "[MIN:]MAX", into(&Options::pairs, read_pairs),
                               "Pairs of processes of every workload: MAX or MIN:MAX"),
                        &Options::pairs),
                "--confirm"),
        needing(valued("--seed", "N", into(&Options::seed, read_seed),
                       "Seed of order, padding and workloads (default: random, reported)"),
                "--confirm"),
        flag("--rebuild", &Options::rebuild, "Ignore cached builds"),
        valued("--pool", "NAME", into(&Options::pool),
               "The pool of equal machines that this one belongs to; pools have separate series"),
        decides(
            valued("--anchor", "NAME", into(&Options::anchor),
                   "Measure in pairs with this baseline: the series continues on another machine"),
            &Options::anchor),
        decides(
            repeatable(valued("--base-set", "KEY=VALUE", into(&Options::base_set, read_settings),
                              "Run base with this parameter (repeatable)")),
            &Options::base_set),
        decides(
            repeatable(valued("--head-set", "KEY=VALUE", into(&Options::head_set, read_settings),
                              "Run head with this parameter (repeatable)")),
            &Options::head_set),
        decides(valued("--vary", "KEY=A,B,C", into(&Options::vary, read_variants),
                       "Compare settings of one revision, each with the first"),
                &Options::vary),
        deciding_flag("--confirm", &Options::confirm,
                      "Run comparisons to confirm or reject new alerts and suspects"),
        deciding_flag("--control", &Options::control,
                      "Run an A/A control: differences this machine reports for identical code"),
        decides(
            valued(
                "--measure", "WHAT", into(&Options::measure),
                "changed (default): skip workloads whose program is the same on both sides; or all",
                {"changed", "all"}),
            &Options::measure),
        deciding_flag("--count", &Options::count,
                      "Also count instructions: exact, even on noisy machines"),
        deciding_flag("--profile-changes", &Options::profile_changes,
                      "Name the functions behind each change")}},
      {"Decision",
       {decides(valued("--threshold", "PERCENT", share_into(&Options::threshold, 1000),
                       "The smallest relevant change, for every metric (default " +
                           percentage_text(Policy{}.threshold) + ")"),
                &Options::threshold, percent_text),
        needing(decides(valued("--alpha", "PERCENT", share_into(&Options::alpha, 50),
                               "Error rate of the whole report (default " +
                                   percentage_text(Policy{}.alpha) + ")"),
                        &Options::alpha, percent_text),
                "--confirm"),
        valued("--looks", "N", number_into(&Options::looks, 100),
               "Number of looks at the pairs before measuring stopped (default 1: a fixed number "
               "of pairs; comparisons have 6)"),
        flag("--together", &Options::together, "Use one error rate for all cases"),
        valued("--scale", "SCALE",
               into(&Options::linear_scale,
                    [](const std::string&, const Values& values) {
                      return values.back() == "linear";
                    }),
               "log (default: relative changes; values up to 0 are gaps) or linear",
               {"log", "linear"}),
        flag("--strict", &Options::strict, "Exit with 4 if a result is inconclusive or missing"),
        repeatable(valued("--fail-on", "KIND", into(&Options::fail_on),
                          "Exit with 1 on findings without a decision: new (alerts), confirmed "
                          "(alerts that a comparison confirmed) or event (new machine events with "
                          "a regression); repeatable",
                          {"new", "confirmed", "event"})),
        flag("--git-bisect", &Options::git_bisect,
             "Exit status for `git bisect run`: 0 not regressed, 1 regressed, else 125")}},
      {"Output",
       {report_file("--markdown"), report_file("--json"), report_file("--html"),
        valued("--plots", "DIR", into(&Options::plots),
               "Write every picture of the HTML page to the folder DIR, as SVG"),
        report_file("--junit"), report_file("--openmetrics"),
        flag("--github", &Options::github, "Add the report to the summary of a GitHub job"),
        valued("--color", "WHEN", into(&Options::color), "auto, always or never",
               {"auto", "always", "never"}),
        conflicting(
            valued("--outside", "DIR", into(&Options::outside),
                   "Write a config and an example to DIR, for a benchmark that old commits lack"),
            {"--try", "--dry-run", "--config"}),
        flag("--try", &Options::try_out,
             "Build and run each workload once, and write only those that work"),
        flag("--force", &Options::force, "Overwrite an existing config"),
        flag("--dry-run", &Options::dry_run, "Print what would be deleted, and delete nothing")}},
      {kGeneralOptions,
       {decides(valued("-C,--repo", "DIR", into(&Options::repo),
                       "The repository (default: the current folder's)"),
                &Options::repo),
        decides(valued("--config", "FILE", into(&Options::config),
                       "The config (default: perf-compare.json)"),
                &Options::config),
        decides(valued("--db", "FILE", into(&Options::db),
                       "The store (default: .perf-compare/results.db in the repository)"),
                &Options::db),
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
      }
    }
    options.push_back(std::move(entry));
  }
  // A name that the table lacks would be left out silently.
  assert(static_cast<std::size_t>(std::ranges::count(wanted, ' ')) == options.size() + 1);
  return options;
}

void reject_conflicts(const std::string& option, const std::string& what, const Options& options) {
  const auto entry = [](const std::string& name) {
    return std::ranges::find(option_table(), name,
                             [](const OptionEntry& one) { return one.names.back(); });
  };
  const Conflicts& conflicts = entry(option)->conflicts;
  for (const std::string& other : conflicts.with) {
    if (!entry(other)->write(options).empty()) {
      throw UsageError(what + " cannot be combined with " + other, "", conflicts.hint);
    }
  }
}

}  // namespace perf
