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

/// Options that belong together, under the heading that they have in help.
struct Shelf {
  std::string_view title;
  std::vector<OptionEntry> options;
};

/// Every option of every command, spelled and read in one way; in the order in which help has them.
const std::vector<Shelf>& shelves() {
  static const std::vector<Shelf> shelves{
      {"What stands without a command",
       {flag("--version", nullptr,
             "Print the version; with --verbose also commit, compiler and libraries"),
        valued("--completion", "SHELL", {}, "Print a script of completion: bash, fish or zsh",
               completion_shells()),
        flag("--man", nullptr, "Print the manual page, for man -l -")}},
      {"What is taken",
       {repeatable(valued("-w,--workload", "GLOB", into(&Options::workloads),
                          "Only workloads that match (repeatable; * matches / too)")),
        repeatable(valued("--metric", "NAME", into(&Options::metrics),
                          "Only this metric, judged (repeatable)")),
        valued("--size", "SIZE", into(&Options::size), "smoke, ci (default) or full",
               {kSizes.begin(), kSizes.end()}),
        valued("--every", "N", into(&Options::every, read_every),
               "Of a range: every Nth commit, counted from its end"),
        valued("--shard", "I/N", into(&Options::shard, read_shard),
               "Only the Ith of N parts, each measured by a job of its own; report --join judges"),
        flag("--rebuild", &Options::rebuild, "Build anew what was built before"),
        flag("--missing", &Options::missing, "Only what was not measured on this machine yet"),
        flag("--programs", &Options::programs,
             "Look at every commit, but measure each program at three of its commits only"),
        valued("--anchor", "NAME", into(&Options::anchor),
               "Measure in pairs with this baseline: such a series survives another machine"),
        valued("--since", "WHEN", into(&Options::since),
               "Only what moved since a revision, a day (2026-01-31) or so long ago (30d)"),
        repeatable(valued("--base-set", "KEY=VALUE", into(&Options::base_set, read_settings),
                          "Run base with this parameter (repeatable)")),
        repeatable(valued("--head-set", "KEY=VALUE", into(&Options::head_set, read_settings),
                          "Run head with this parameter (repeatable)")),
        valued("--vary", "KEY=A,B,C", into(&Options::vary, read_variants),
               "Compare settings of one revision, each against the first"),
        flag("--stored", &Options::stored,
             "Measure nothing: judge what the store holds of the two revisions"),
        flag("--history", &Options::history,
             "Measure nothing: judge what the store holds of head against base and the commits "
             "before it"),
        repeatable(valued("--base", "FILE", into(&Options::base_files),
                          "One session of base (repeatable)")),
        repeatable(valued("--head", "FILE", into(&Options::head_files),
                          "One session of head (repeatable)")),
        valued("--rev", "REV", into(&Options::import_rev),
               "The revision that was measured (default: what the file says)"),
        valued("--environment", "NAME", into(&Options::environment),
               "The machine it was measured on, by a name; . is this one (default: what the file "
               "tells, else this one)"),
        valued("--as", "NAME", into(&Options::import_as),
               "Keep the benchmarks as those of the workload NAME, in one series with what it "
               "measures"),
        valued("--keep-steps", "DURATION",
               into(&Options::keep_steps,
                    [](const std::string& option, const Values& values) {
                      return parse_duration(values.back(), option);
                    }),
               "Raw steps younger than this stay (default 90d)"),
        valued("--run", "ID", into(&Options::run), "Only this run, and what belongs to it"),
        valued("--hub", "HUB", into(&Options::hub),
               "Take in before what other machines brought to git:REMOTE, dir:FOLDER or "
               "postgres://..., and bring "
               "there afterwards what is new"),
        valued("--writer", "NAME", into(&Options::writer),
               "Whose place in the hub it is (default: this host's id)"),
        flag("--all", &Options::all,
             "index: make the points of all payloads again, in one transaction"),
        flag("--points", &Options::with_points,
             "trend of a PostgreSQL hub: let its JSON hold the points, too"),
        flag("--untrusted", &Options::untrusted,
             "These are runs of code that nobody trusts: a PostgreSQL hub keeps them apart, and "
             "nobody pulls them"),
        numbered(valued("--keep-months", "N",
                        into(&Options::keep_months,
                             [](const std::string&, const Values& values) {
                               return std::stoi(values.back(), nullptr, 0);
                             }),
                        "Of a hub: what was measured in this month and the N-1 before stays"),
                 1000),
        flag("--show", &Options::show, "Show the last one of this machine"),
        flag("--log", &Options::log, "Every pin and unpin there ever was, with its reason"),
        numbered(valued("--limit", "N",
                        into(&Options::limit,
                             [](const std::string&, const Values& values) {
                               return std::stoi(values.back(), nullptr, 0);
                             }),
                        "Runs to show, newest first (default 20)"),
                 1000000),
        several(valued("--join", "FILE...", into(&Options::join),
                       "The stores that the shards of one comparison left, as one report")),
        valued("--reason", "TEXT", into(&Options::reason), "Why; kept in the store"),
        valued("--scale", "SCALE",
               into(&Options::linear_scale,
                    [](const std::string&, const Values& values) {
                      return values.back() == "linear";
                    }),
               "log (default: changes are relative; what is not positive is a gap) or linear",
               {"log", "linear"})}},
      {"How it is judged",
       {valued("--threshold", "PERCENT", share_into(&Options::threshold, 1000),
               "The change that matters, for every metric (default " +
                   percentage_text(Policy{}.threshold) + ")"),
        valued("--alpha", "PERCENT", share_into(&Options::alpha, 50),
               "Error rate of the whole report (default " + percentage_text(Policy{}.alpha) + ")"),
        valued("--budget", "DURATION", into(&Options::budget, read_budget),
               "Time for measuring, builds not counted (default " + duration_text(Policy{}.budget) +
                   ")"),
        valued("--pairs", "[MIN:]MAX", into(&Options::pairs, read_pairs),
               "Pairs of processes per workload: MAX or MIN:MAX"),
        valued("--seed", "N", into(&Options::seed, read_seed),
               "Seed of order, padding and workloads (default: random, reported)"),
        valued("--pool", "NAME", into(&Options::pool),
               "Call this machine one of a pool, whose runs share series with no other's"),
        valued("--looks", "N", into(&Options::looks, read_looks),
               "How often pairs were looked at before they were ended (default 1: their number was "
               "fixed beforehand; 6 as a comparison does)"),
        flag("--together", &Options::together, "One error rate for all cases, not one each"),
        flag("--confirm", &Options::confirm,
             "Run the comparisons that tell whether new alerts and suspects are real"),
        flag("--control", &Options::control,
             "Measure base against base as well: what this machine makes up"),
        valued(
            "--measure", "WHAT", into(&Options::measure),
            "changed (default): what runs the same program on both sides is not measured; or all",
            {"changed", "all"}),
        flag("--count", &Options::count, "Count instructions too: exact where timing is noisy"),
        flag("--profile-changes", &Options::profile_changes,
             "Name the functions behind a flagged change")}},
      {"What the exit status says",
       {flag("--strict", &Options::strict, "Exit with 4 where anything is inconclusive or missing"),
        repeatable(valued("--fail-on", "KIND", into(&Options::fail_on),
                          "Exit with 1 where there is something of this kind that nobody decided "
                          "about: new (alerts),\nconfirmed (alerts that a comparison bore out) or "
                          "event (new machine events in\nwhich something got worse); repeatable",
                          {"new", "confirmed", "event"})),
        flag("--git-bisect", &Options::git_bisect,
             "Exit as `git bisect run` wants: 0 not regressed, 1 regressed, else 125")}},
      {"Where the result goes",
       {report_file("--markdown"), report_file("--json"), report_file("--html"),
        valued("--plots", "DIR", into(&Options::plots),
               "Write every picture of the HTML page to the folder DIR, as SVG"),
        report_file("--junit"), report_file("--openmetrics"),
        flag("--github", &Options::github, "Add the report to the summary of a GitHub job"),
        valued("--color", "WHEN", into(&Options::color), "auto, always or never",
               {"auto", "always", "never"}),
        valued("--outside", "DIR", into(&Options::outside),
               "Write a config and an example into DIR, for a benchmark that old commits lack"),
        flag("--try", &Options::try_out,
             "Build and run each workload once, and write only those that work"),
        flag("--force", &Options::force, "Write over a config that is there already"),
        flag("--dry-run", &Options::dry_run, "Only say what would go")}},
      {"Where to work, and how loudly",
       {valued("-C,--repo", "DIR", into(&Options::repo),
               "The repository to work on (default: this folder's)"),
        valued("--config", "FILE", into(&Options::config),
               "Config to use (default: perf-compare.json)"),
        valued("--db", "FILE", into(&Options::db),
               "The store (default: .perf-compare/results.db in the repository)"),
        flag("-q,--quiet", &Options::quiet, "No progress on standard error"),
        flag("-v,--verbose", &Options::verbose, "Also say how every process went"),
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
