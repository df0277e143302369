#include <algorithm>
#include <cassert>
#include <map>
#include <string>
#include <vector>

#include "ci/cli/manual/manual.h"
#include "ci/cli/options/command_tree.h"
#include "ci/cli/output/output.h"
#include "schema/config.h"
#include "schema/policy.h"
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

OptionEntry numbered(OptionEntry entry, int most) {
  entry.most = most;
  return entry;
}

/// The file of one of kOutputFormats.
OptionEntry report_file(std::string_view option) {
  const auto format = std::ranges::find(kOutputFormats, option, &OutputFormat::option);
  assert(format != kOutputFormats.end());
  return valued(
      format->option, "FILE", into(format->file),
      std::string("Write the report as ") + format->title + " to FILE (- is standard output)");
}

ReadValues share_into(std::optional<double> Options::*member, int percent) {
  return into(member, [percent](const std::string& option, const Values& values) {
    return read_share(option, values, percent);
  });
}

/// Options under a heading of the help.
struct Shelf {
  std::string_view title;
  std::vector<OptionEntry> options;
};

/// Every option of every command, in the order of the help.
const std::vector<Shelf>& shelves() {
  static const std::vector<Shelf> shelves{
      {"Information",
       {flag("--version", nullptr,
             "Print the version; with --verbose also commit, compiler and libraries"),
        valued("--completion", "SHELL", {}, "Print the completion script of bash, fish or zsh",
               completion_shells()),
        flag("--man", nullptr, "Print the manual page, for man -l -")}},
      {"Selection",
       {repeatable(valued("-w,--workload", "GLOB", into(&Options::workloads),
                          "Only workloads that match (repeatable; * also matches /)")),
        repeatable(valued("--metric", "NAME", into(&Options::metrics),
                          "Judge only this metric (repeatable)")),
        valued("--size", "SIZE", into(&Options::size), "smoke, ci (default) or full",
               {kSizes.begin(), kSizes.end()}),
        valued("--every", "N", into(&Options::every, read_every),
               "Only every Nth commit of a range, counted from its end"),
        valued("--shard", "I/N", into(&Options::shard, read_shard),
               "Measure only the Ith of N parts, one per job; report --join judges them"),
        flag("--missing", &Options::missing, "Only what this machine has not measured yet"),
        flag("--programs", &Options::programs,
             "Trace every commit, but measure each program at only three of its commits"),
        valued("--since", "WHEN", into(&Options::since),
               "Only changes since a revision, a day (2026-01-31) or for a duration (30d)"),
        flag("--stored", &Options::stored,
             "Measure nothing: judge the stored results of the two revisions"),
        flag("--history", &Options::history,
             "Measure nothing: judge the stored results of head against base and the commits "
             "before it"),
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
        numbered(valued("--keep-months", "N",
                        into(&Options::keep_months,
                             [](const std::string&, const Values& values) {
                               return std::stoi(values.back(), nullptr, 0);
                             }),
                        "Of a hub: keep this month and the N-1 before"),
                 1000),
        flag("--show", &Options::show, "Show the last calibration of this machine"),
        flag("--log", &Options::log, "Show every pin and unpin, with its reason"),
        numbered(valued("--limit", "N",
                        into(&Options::limit,
                             [](const std::string&, const Values& values) {
                               return std::stoi(values.back(), nullptr, 0);
                             }),
                        "Show at most N runs, newest first (default 20)"),
                 1000000),
        several(valued("--join", "FILE...", into(&Options::join),
                       "Judge the stores of the shards of one comparison")),
        valued("--reason", "TEXT", into(&Options::reason), "The reason, kept in the store")}},
      {"Measurement",
       {valued("--budget", "DURATION", into(&Options::budget, read_budget),
               "Measuring time, without builds (default " + duration_text(Policy{}.budget) + ")"),
        valued("--pairs", "[MIN:]MAX", into(&Options::pairs, read_pairs),
               "Pairs of processes of every workload: MAX or MIN:MAX"),
        valued("--seed", "N", into(&Options::seed, read_seed),
               "Seed of order, padding and workloads (default: random, reported)"),
        flag("--rebuild", &Options::rebuild, "Ignore cached builds"),
        valued("--pool", "NAME", into(&Options::pool),
               "The pool of equal machines that this one belongs to; pools have separate series"),
        valued("--anchor", "NAME", into(&Options::anchor),
               "Measure in pairs with this baseline: the series continues on another machine"),
        repeatable(valued("--base-set", "KEY=VALUE", into(&Options::base_set, read_settings),
                          "Run base with this parameter (repeatable)")),
        repeatable(valued("--head-set", "KEY=VALUE", into(&Options::head_set, read_settings),
                          "Run head with this parameter (repeatable)")),
        valued("--vary", "KEY=A,B,C", into(&Options::vary, read_variants),
               "Compare settings of one revision, each with the first"),
        flag("--confirm", &Options::confirm,
             "Run comparisons to confirm or reject new alerts and suspects"),
        flag("--control", &Options::control,
             "Run an A/A control: differences this machine reports for identical code"),
        valued("--measure", "WHAT", into(&Options::measure),
               "changed (default): skip workloads whose program is the same on both sides; or all",
               {"changed", "all"}),
        flag("--count", &Options::count, "Also count instructions: exact, even on noisy machines"),
        flag("--profile-changes", &Options::profile_changes,
             "Name the functions behind each change")}},
      {"Decision",
       {valued("--threshold", "PERCENT", share_into(&Options::threshold, 1000),
               "The smallest relevant change, for every metric (default " +
                   percentage_text(Policy{}.threshold) + ")"),
        valued("--alpha", "PERCENT", share_into(&Options::alpha, 50),
               "Error rate of the whole report (default " + percentage_text(Policy{}.alpha) + ")"),
        valued("--looks", "N", into(&Options::looks, read_looks),
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
        valued("--outside", "DIR", into(&Options::outside),
               "Write a config and an example to DIR, for a benchmark that old commits lack"),
        flag("--try", &Options::try_out,
             "Build and run each workload once, and write only those that work"),
        flag("--force", &Options::force, "Overwrite an existing config"),
        flag("--dry-run", &Options::dry_run, "Print what would be deleted, and delete nothing")}},
      {"General",
       {valued("-C,--repo", "DIR", into(&Options::repo),
               "The repository (default: the current folder's)"),
        valued("--config", "FILE", into(&Options::config),
               "The config (default: perf-compare.json)"),
        valued("--db", "FILE", into(&Options::db),
               "The store (default: .perf-compare/results.db in the repository)"),
        flag("-q,--quiet", &Options::quiet, "No progress on standard error"),
        flag("-v,--verbose", &Options::verbose, "Also print a line for every process"),
        flag("-h,--help", nullptr, "Print this help message and exit")}}};
  return shelves;
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

std::vector<OptionEntry> options_of(const std::string& names, const std::vector<OptionUse>& uses) {
  const std::string wanted = names + " --help ";
  std::vector<OptionEntry> options;
  for (const Shelf& shelf : shelves()) {
    for (OptionEntry entry : shelf.options) {
      const std::string& name = entry.names.back();
      if (wanted.find(" " + name + " ") == std::string::npos) {
        continue;
      }
      entry.group = shelf.title;
      for (const OptionUse& use : uses) {
        if (use.name == name) {
          entry.description = use.description;
          entry.value = use.value.empty() ? entry.value : use.value;
        }
      }
      options.push_back(std::move(entry));
    }
  }
  // A name that the table lacks would be left out in silence.
  assert(static_cast<std::size_t>(std::ranges::count(wanted, ' ')) == options.size() + 1);
  return options;
}

}  // namespace perf
