#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/cli/commands.h"
#include "ci/cli/options/command_tree.h"
#include "schema/formats/foreign.h"
#include "schema/policy.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"
#include "schema/text/units.h"

namespace perf {
namespace {

// Options that several commands share.

const std::string kRepository = " --repo --db";
const std::string kWorkloads = kRepository + " --config --workload --size";
const std::string kPolicy = " --threshold --alpha";
const std::string kEffort = " --budget --pairs --seed --rebuild --pool";
const std::string kJson = " --json --color";
const std::string kPages = kJson + " --markdown --html --github";
const std::string kEveryFormat = kPages + " --junit --openmetrics --plots";
const std::string kProgress = " --quiet --verbose";
const std::string kHub = kRepository + " --config --writer";

/// --github where there is more to tell than a summary.
const OptionUse kEveryGithub{"--github",
                             "Tell GitHub Actions: a summary, annotations, outputs of the step"};

ArgumentEntry argument(const std::string& name, ReadValues read, const std::string& description) {
  return {name, kind_of(name, {}), {}, false, false, description, std::move(read)};
}

ArgumentEntry required(ArgumentEntry entry) {
  entry.required = true;
  return entry;
}

/// Any number of files, at least one.
ArgumentEntry files(const std::string& name, const std::string& description) {
  return {name, ValueKind::file, {}, true, true, description, into(&Options::files)};
}

/// One of these words. Any other is taken as well: the command names the nearest one.
template <class Words>
ArgumentEntry one_of(const std::string& name, const Words& words, std::string Options::*member) {
  const std::vector<std::string> choices(std::begin(words), std::end(words));
  return {name, ValueKind::choice, choices, true, false, joined(choices, ", "), into(member)};
}

/// Commands that belong together, under the heading that they have in help.
struct CommandGroup {
  std::string_view title;
  std::vector<CommandEntry> commands;
};

constexpr const char* kHubHelp =
    "Runs lie there one by one, named by what they hold, and are never changed: twice is once. "
    "What "
    "is damaged, or not as perf-compare writes it, is named and not taken; the rest is.\n"
    "Exit status: 0 they met; 2 asked wrongly; 3 the hub could not be reached, took nothing, or a "
    "run was refused; 130 or 143 interrupted.";

constexpr const char* kReadsHub = "Read a PostgreSQL hub, postgres://..., in place of the store";

std::vector<CommandGroup> command_groups() {
  const ArgumentEntry hub =
      argument("HUB", into(&Options::hub),
               "git:REMOTE, dir:FOLDER or postgres://... (default: \"hub\" in the config)");
  const ArgumentEntry baseline =
      required(argument("NAME", into(&Options::name), "The baseline's name"));
  const std::vector<std::string_view> decisions =
      mapped(kDecisions, [](const auto& decision) { return decision.first; });
  return {
      {kFirstCommands,
       {{"init",
         "Look at this repository and write perf-compare.json for it",
         "Knows CMake, Cargo, Go, Python, Autotools and make, and finds Google Benchmark, "
         "criterion, Go and pytest-benchmark benchmarks and commands that hyperfine times. Files "
         "are read, nothing is run, unless with --try. What it could not find out stands in the "
         "config as a comment.\n"
         "Exit status: 0 written; 2 asked wrongly, or there is a config already; 3 the repository "
         "could not be read, the file not be written, or nothing works; 130 or 143 interrupted.",
         {},
         options_of(" --dry-run --force --repo --config --try --outside --quiet",
                    {{"--dry-run", "Print the config, and write nothing"},
                     {"--quiet", "Do not say what was found and written"},
                     {"--repo", "The repository to look at (default: this folder's)"},
                     {"--config", "Write it to FILE (default: perf-compare.json at the top)"}}),
         init_command,
         {{"perf-compare init --dry-run", "print the config, write nothing"},
          {"perf-compare init --try", "only what builds and runs here"},
          {"perf-compare init --config ci/perf.json", "write it to another file"},
          {"perf-compare init --outside ../bench", "measure old releases with a new benchmark"}}},
        {"compare",
         "Is HEAD slower or hungrier than BASE? (the default command)",
         "",
         {argument(
              "BASE", into(&Options::base),
              "Revision, pinned baseline, `.` (the working tree), `baseline`, or a JSON report"),
          argument("HEAD", into(&Options::head), "Revision, `.`, or a JSON report")},
         options_of(kWorkloads + kPolicy + kEffort + kEveryFormat + kProgress +
                        " --metric --base-set --head-set --vary --stored --history --control "
                        "--measure --count "
                        "--profile-changes --git-bisect --strict --shard",
                    {kEveryGithub}),
         compare_command,
         {{"perf-compare", "HEAD against its baseline: the merge base, or what CI says"},
          {"perf-compare v1.2 HEAD -w 'parser/*'", "two revisions, some workloads"},
          {"perf-compare HEAD .", "the working tree, uncommitted changes included"},
          {"perf-compare HEAD --vary threads=1,2,4", "settings of one revision"},
          {"perf-compare baseline HEAD --budget 5m --markdown report.md", "in a CI job"}}},
        {"selftest",
         "Prove that the gate can fail: plant a slowdown and an allocation",
         "Measures every workload of the size (choose with -w) against itself: as it is, with a "
         "slowdown and with an allocation of 1.5 times the threshold.\n"
         "Exit status: 0 both were caught, and nothing else was called a change; 1 something was "
         "missed, or made up; 2 asked wrongly; 3 something could not be planted or measured; 130 "
         "or 143 interrupted.",
         {argument("REV", into(&Options::revision), "What to plant them in (default HEAD)")},
         options_of(kWorkloads + kPolicy + kEffort + kJson + kProgress,
                    {{"--size", "smoke (default), ci or full"},
                     {"--budget", "Time for measuring, all three arms together (default 5m)"}}),
         selftest_command,
         {{"perf-compare selftest", "the smoke size of HEAD"},
          {"perf-compare selftest -w parser --threshold 5%", "one workload, a finer gate"}}},
        {"collect",
         "Measure a revision, or a range of history, and keep it",
         "Of a range, the first-parent line is measured, oldest first; with --missing only its "
         "gaps, so that the same command goes on where it was stopped. With --programs all are "
         "built "
         "and looked at, and of neighbours that run the same three are measured. --budget is for "
         "all "
         "of it (default: 10m for a revision, none for a range).\n"
         "Exit status: 0 measured; 2 asked wrongly; 3 could not measure; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "A revision (default HEAD), or a range A..B")},
         options_of(kWorkloads + kEffort + kPages + kProgress +
                        " --every --missing --programs --anchor --shard --hub --writer",
                    {{"--pairs", "Processes (pairs) of every workload (default 5)", "N"},
                     {"--shard",
                      "Only the Ith of N parts of the workloads, each measured by a job of its "
                      "own"}}),
         collect_command,
         {{"perf-compare collect HEAD", "every night: tonight's commit"},
          {"perf-compare collect v1.2..HEAD --every 5 --missing", "fill the gaps of a history"},
          {"perf-compare collect HEAD --anchor release", "paired with a pinned baseline"}}},
        {"trend",
         "What moved along history, when, by which commit (from what was collected)",
         "Measures nothing without --confirm. An alert is new once, and known from then on.\n"
         "Exit status: 0; 1 --fail-on is met, or a comparison of --confirm regressed; 2 asked "
         "wrongly; 3 could not be told; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "Where the history ends (default HEAD)")},
         options_of(kWorkloads + kEffort + kEveryFormat + kProgress +
                        " --hub --points --writer --since --fail-on --confirm --metric --threshold "
                        "--alpha",
                    {{"--metric", "Only this metric (repeatable)"},
                     {"--threshold",
                      "Smaller steps are shown, and are no alerts (default: every step is one)"},
                     {"--alpha", "Error rate of each comparison of --confirm"},
                     {"--budget", "Time for measuring with --confirm (default 10m)"},
                     kEveryGithub}),
         trend_command,
         {{"perf-compare trend --fail-on new", "every night: exit with 1 where something is new"},
          {"perf-compare trend --since 30d -w 'parser/*'", "the last month of some workloads"},
          {"perf-compare trend --confirm --budget 20m", "measure what the alerts only suspect"}}}}},
      {"Find the cause",
       {{"bisect",
         "Which commit between GOOD and BAD made a workload slower?",
         "Exactly one workload has to match -w, or one benchmark that a workload yields "
         "(NAME/BENCHMARK). Commits that run one program stand as one. The same command goes on "
         "where it was stopped.\n"
         "Exit status: 1 a commit was found; 4 GOOD and BAD do not differ, or no commit is "
         "certain; 2 asked wrongly; 3 could not measure, or the budget ended first; 130 or 143 "
         "interrupted.",
         {required(argument("GOOD", into(&Options::base), "A revision before the regression")),
          required(argument("BAD", into(&Options::head), "A revision with the regression"))},
         options_of(
             kWorkloads + kPolicy + kEffort + kPages + kProgress + " --metric --measure",
             {{"--metric", "The metric to search by (default step_time)"},
              {"--measure", "changed (default): commits that run one program stand as one; or all"},
              {"--threshold",
               "The smallest step to search for (default " + percentage_text(kSmallestStep) + ")"},
              {"--budget", "Time for measuring, the whole search (default 10m)"}}),
         bisect_command,
         {{"perf-compare bisect v1.2 HEAD -w parser", "the commit that made parser slower"}}},
        {"profile",
         "Where a workload spends its time; of two, what moved",
         "Exit status: 0 profiled; 2 asked wrongly; 3 could not measure; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "The revision (default HEAD)"),
          argument("REV2", into(&Options::second_revision), "Compare with this one")},
         options_of(kWorkloads + kJson + kProgress + " --seed --rebuild",
                    {{"--seed", "Seed of the workload"}}),
         profile_command,
         {{"perf-compare profile -w parser HEAD~1 HEAD", "what moved between the two"}}}}},
      {"Look at what was measured",
       {{"report",
         "Show a stored comparison again, in any format",
         "Measures nothing. The verdicts are those of then; with --db no repository is needed. "
         "--join judges what the shards of one comparison measured (compare --shard): one report, "
         "one error rate. Files of unlike plans and a shard that was measured twice are refused.\n"
         "Exit status: as the comparison had: 0 nothing regressed; 1 a regression, a missed target "
         "or a failed output check; 3 it could not measure, or a shard is missing; 4 inconclusive "
         "or missing (only with --strict); 2 asked wrongly, or no such run.",
         {argument("ID", into(&Options::run),
                   "A run, or the beginning of its id (default: the latest comparison)")},
         options_of(kRepository + kEveryFormat + " --strict --quiet --join",
                    {{"--quiet", "Do not say which run it is"}, kEveryGithub}),
         report_command,
         {{"perf-compare report --join shard-*.db", "what `compare --shard I/N --db FILE` left"}}},
        {"list",
         "What was measured: the runs of the store",
         "Exit status: 0 listed, or there are none; 2 asked wrongly; 3 there is no store, or it "
         "failed.",
         {},
         options_of(kRepository + kJson + " --hub --limit --workload",
                    {{"--hub", kReadsHub},
                     {"--workload", "Only runs of workloads that match (repeatable)"}}),
         list_command},
        {"show",
         "What the store knows of a run, or of a revision",
         "Exit status: 0 shown; 2 asked wrongly, or nothing has that name; 3 there is no store, or "
         "it failed.",
         {argument("ID|REV", into(&Options::run),
                   "A run, or the beginning of its id; else a revision (default: the latest run)")},
         options_of(kRepository + kJson + " --hub --workload --metric",
                    {{"--hub", kReadsHub},
                     {"--workload", "Of a revision: only workloads that match (repeatable)"},
                     {"--metric", "Of a revision: only this metric (repeatable)"}}),
         show_command},
        {"alert",
         "Keep what you decided about an alert of trend: ack, ignore or fixed",
         "ack: seen, somebody looks at it. ignore: accepted, not listed any more. fixed: a later "
         "commit mends it; later points may say otherwise. --fail-on passes over all three. The "
         "latest decision counts; none is ever lost.\n"
         "Exit status: 0 kept; 2 asked wrongly, or no such alert; 3 there is no store, or it "
         "failed.",
         {one_of("DECISION", decisions, &Options::decision),
          required(argument("ID", into(&Options::run),
                            "An alert, or the beginning of its id, as trend shows it"))},
         options_of(kRepository + " --reason",
                    {{"--reason", "Why: must be given, is kept, and stands in every report"}}),
         alert_command,
         {{"perf-compare alert ack 3f2a9c01d2e4 --reason 'Ada bisects'",
           "it fails no more nights"}}}}},
      {"Know the machine",
       {{"doctor",
         "What on this machine makes timings noisy, and what to do",
         "Exit status: 0 looked; 2 asked wrongly; 3 could not look; 4 something bad was found "
         "(only with --strict).",
         {},
         options_of(kRepository + " --config" + kJson + " --strict --verbose",
                    {{"--strict", "Exit with 4 where something bad was found"},
                     {"--verbose", "Also show what is good or unknown"}}),
         doctor_command},
        {"calibrate",
         "How small a change can this machine see, how often would it lie?",
         "Exit status: 0 measured, whatever was found; 2 asked wrongly; 3 could not measure; 130 "
         "or 143 interrupted.",
         {argument("REV", into(&Options::revision),
                   "What to measure against itself (default HEAD)")},
         options_of(kWorkloads + kPolicy + kEffort + kPages + kProgress + " --show",
                    {{"--pairs", "Pairs of every workload (default 32)", "N"}}),
         calibrate_command,
         {{"perf-compare calibrate", "measure HEAD against itself, 32 pairs of each workload"},
          {"perf-compare calibrate --show", "what the last one of this machine said"}}}}},
      {"Name what to compare with",
       {{"pin",
         "Name a revision as a baseline",
         "Exit status: 0 pinned; 2 asked wrongly; 3 the store failed.",
         {baseline, argument("REV", into(&Options::revision), "The revision (default HEAD)")},
         options_of(kRepository + " --reason"),
         pin_command,
         {{"perf-compare pin release v1.2 --reason 'shipped'", "then: compare release HEAD"}}},
        {"unpin",
         "Forget a baseline (its history stays in the store)",
         "Exit status: 0 forgotten; 2 asked wrongly, or no such baseline; 3 the store failed.",
         {baseline},
         options_of(kRepository + " --reason"),
         unpin_command},
        {"pins",
         "List the baselines",
         "Pins of the store, then the baselines of the config.\n"
         "Exit status: 0 listed, or there are none; 2 asked wrongly; 3 the store failed.",
         {},
         options_of(kRepository + " --config --log"),
         pins_command}}},
      {"Bring in what was measured elsewhere",
       {{"judge",
         "Verdicts for samples measured elsewhere",
         "Exit status: 0 nothing regressed; 1 something did; 2 asked wrongly; 3 nothing to judge; "
         "4 inconclusive (only with --strict).",
         {argument("FILE", into(&Options::file),
                   "JSON: {\"cases\": {NAME: {\"threshold\", \"base\", \"head\"}}}; or base's "
                   "benchmark output (- is standard input)"),
          argument("HEAD_FILE", into(&Options::second_file),
                   "Head's output of a benchmark (docs/formats.md), or a JSON report")},
         options_of(
             kPolicy + kJson + kProgress +
                 " --metric --base --head --environment --together --looks --strict",
             {{"--environment", "The machine, by a name, that files which name none are all of"},
              {"--strict", "Exit with 4 where anything is inconclusive"}}),
         judge_command,
         {{"perf-compare judge base.json head.json", "output of the same benchmark, twice"},
          {"perf-compare judge --base a1.json --base a2.json --head b1.json --head b2.json",
           "several sessions of each side"}}},
        {"detect",
         "Where do series measured elsewhere step?",
         "Writes {\"SERIES\": [positions]}: for each series where the first point after each "
         "change stands: its index in a CSV, else its 0-based position, gaps counted.\n"
         "Exit status: 0, whatever was found; 2 asked wrongly; 3 could not be written.",
         {required(argument("FILE", into(&Options::file),
                            "Lines `name value value ...`, CSV `series,index,value`, or JSON "
                            "{\"NAME\": [value, ...]} (- is standard input)"))},
         options_of(" --json --scale",
                    {{"--json", "Write the positions to FILE (default: standard output)"}}),
         detect_command},
        {"import",
         "Keep what another benchmark tool measured as history",
         "The same session of the same commit and machine is kept once, however often it is "
         "imported.\n"
         "Exit status: 0 imported, or there already; 2 asked wrongly, or nothing to import; 3 the "
         "store failed.",
         {one_of("FORMAT", formats::foreign_formats(), &Options::format),
          files("FILE",
                "What the tool wrote (- is standard input; target/criterion and "
                "asv's results/MACHINE may be folders)")},
         options_of(kRepository + " --rev --environment --as --size --quiet",
                    {{"--quiet", "Say only what is left out"}}),
         import_command,
         {{"perf-compare import hyperfine out.json --rev v1.2", "values of a commit"},
          {"perf-compare import criterion target/criterion --rev HEAD --as bench",
           "in one series with the workload bench"}}}}},
      {"Keep the store, and meet other machines",
       {{"merge",
         "Take in the runs of other stores (twice is once)",
         "Runs that are here already are known by their id; pins are named, and not taken.\n"
         "Exit status: 0 taken, or here already; 2 asked wrongly; 3 a store failed.",
         {files("DB", "Stores to take from; they are not changed")},
         options_of(kRepository),
         merge_command},
        {"export",
         "Write a compact copy of the store, or of one run",
         "Exit status: 0 written; 2 asked wrongly; 3 it could not be written.",
         {required(argument("FILE", into(&Options::file), "A file that is not there yet"))},
         options_of(kRepository + " --run"),
         export_command},
        {"prune",
         "Take old raw steps out of the store, or old months out of a hub",
         "Of the store never taken: what a pin needs, what lies beside a change point, and every "
         "summary.\n"
         "Exit status: 0 pruned, or nothing to take; 2 asked wrongly; 3 the store failed.",
         {hub},
         options_of(kRepository + " --config --keep-steps --keep-months --dry-run"),
         prune_command},
        {"sync",
         "Runs meet those of other machines: pull, then push",
         kHubHelp,
         {hub},
         options_of(kHub),
         sync_command,
         {{"perf-compare sync git:origin", "in references that no clone fetches by itself"},
          {"perf-compare sync dir:/mnt/perf", "in a folder that machines share"}}},
        {"pull",
         "Take in the runs that other machines brought to a hub",
         kHubHelp,
         {hub},
         options_of(kRepository + " --config"),
         pull_command},
        {"push",
         "Bring the runs of this store to a hub",
         kHubHelp,
         {hub},
         options_of(kHub + " --untrusted"),
         push_command},
        {"hub",
         "Make, upgrade, fill or look at the tables of a PostgreSQL hub",
         "init makes the tables and the roles perf_writer, perf_reader and perf_indexer, which the "
         "owner grants to users; upgrade brings the tables of an older perf-compare to this one's "
         "version; index checks what was brought since, and makes points of it, which trend, list "
         "and show read with --hub; status tells what lies there.\n"
         "Exit status: 0; 2 asked wrongly; 3 the database could not be reached, or refused; index: "
         "payloads were refused, and the others taken.",
         {one_of("ACTION", kHubActions, &Options::hub_action),
          required(argument("URL", into(&Options::hub),
                            "postgres://USER@HOST:PORT/DATABASE, as libpq reads it"))},
         options_of(" --all"),
         hub_command,
         {{"perf-compare hub init postgres://ada@db.example/perf", "once, as who will own it"},
          {"perf-compare hub status 'postgres://?service=perf'", "by a service of libpq"}}}}}};
}

}  // namespace

const CommandTree& command_tree() {
  static const CommandTree tree = [] {
    CommandTree whole{
        "perf-compare",
        PERF_COMPARE_VERSION,
        "Tells whether a commit made a program slower or hungrier, by how much, and with a known "
        "error rate.",
        options_of(" --version --completion --man"),
        {}};
    for (CommandGroup& group : command_groups()) {
      for (CommandEntry& command : group.commands) {
        command.group = group.title;
        whole.commands.push_back(std::move(command));
      }
    }
    return whole;
  }();
  return tree;
}

const CommandEntry* command_named(std::string_view name) {
  const std::vector<CommandEntry>& commands = command_tree().commands;
  const auto at = std::ranges::find(commands, name, &CommandEntry::name);
  return at == commands.end() ? nullptr : &*at;
}

}  // namespace perf
