#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/calibrate/calibration.h"
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

/// --github of commands that write more than a summary.
const OptionUse kEveryGithub{"--github",
                             "Write the summary, annotations and outputs of a GitHub job"};

ArgumentEntry argument(const std::string& name, ReadValues read, const std::string& description) {
  return {name, kind_of(name, {}), {}, false, false, description, std::move(read)};
}

ArgumentEntry required(ArgumentEntry entry) {
  entry.required = true;
  return entry;
}

ArgumentEntry unless(const std::string& option, ArgumentEntry entry) {
  entry.unless = option;
  return entry;
}

/// Any number of files, at least one.
ArgumentEntry files(const std::string& name, const std::string& description) {
  return {name, ValueKind::file, {}, true, true, description, into(&Options::files)};
}

/// One of these words. Others are accepted too: the command suggests the nearest one.
template <class Words>
ArgumentEntry one_of(const std::string& name, const Words& words, std::string Options::*member) {
  const std::vector<std::string> choices(std::begin(words), std::end(words));
  return {name, ValueKind::choice, choices, true, false, joined(choices, ", "), into(member)};
}

/// Commands under a heading of the help.
struct CommandGroup {
  std::string_view title;
  std::vector<CommandEntry> commands;
};

constexpr const char* kHubHelp =
    "A hub keeps runs by their content and never changes them, so repeating a transfer is "
    "harmless. Damaged or foreign runs are named and skipped.\n"
    "Exit status: 0 transferred; 2 usage error; 3 the hub could not be reached or written, or a "
    "run was refused; 130 or 143 interrupted.";

constexpr const char* kReadsHub = "Read a PostgreSQL hub (postgres://...) instead of the store";

std::vector<CommandGroup> command_groups() {
  const std::string default_budget = " (default " + duration_text(Policy{}.budget) + ")";
  const ArgumentEntry hub =
      argument("HUB", into(&Options::hub),
               "git:REMOTE, dir:FOLDER or postgres://... (default: \"hub\" in the config)");
  const ArgumentEntry baseline =
      required(argument("NAME", into(&Options::name), "The baseline's name"));
  const std::vector<std::string_view> decisions =
      mapped(kDecisions, [](const auto& decision) { return decision.first; });
  return {
      {kFirstCommands,
       {{"ab",
         "Test whether one command is slower or uses more memory than another",
         "Each command is one argument, split into words as by a shell; it needs no repository. "
         "Nothing is stored without --db.\n"
         "Exit status, as for compare: 0 no regression; 1 regression; 2 usage error; 3 could not "
         "measure; 4 undecided, with --strict; 130 or 143 interrupted.",
         {required(argument("BASE_COMMAND", into(&Options::base), "The command to compare with")),
          required(argument("HEAD_COMMAND", into(&Options::head), "The command to test"))},
         options_of(" --db --budget --pairs --seed --pool --measure --control --count --shell "
                    "--prepare --base-dir --head-dir --env --base-env --head-env --format --name "
                    "--metric --strict" +
                        kPolicy + kEveryFormat + kProgress,
                    {kEveryGithub, {"--db", "Also store the run in FILE"}}),
         ab_command,
         {{"perf-compare ab './old data.txt' './new data.txt'", "two programs"},
          {"perf-compare ab 'python b.py' 'python b.py' --head-env PYTHONOPTIMIZE=1",
           "two settings"},
          {"perf-compare ab make make --base-dir v1 --head-dir v2 --prepare 'make clean'",
           "two folders"}}},
        {"init",
         "Write perf-compare.json for this repository",
         "Detects CMake, Cargo, Go, Python, Autotools and make, Google Benchmark, criterion, Go "
         "and pytest-benchmark benchmarks, and commands timed with hyperfine. Only reads files, "
         "unless --try is given. Open questions become comments in the config.\n"
         "Exit status: 0 written; 2 usage error, or the config exists; 3 the repository could not "
         "be read, the file could not be written, or no workload could be built and run; 130 or "
         "143 interrupted.",
         {},
         options_of(" --dry-run --force --repo --config --try --outside --quiet",
                    {{"--dry-run", "Print the config without writing it"},
                     {"--quiet", "Do not print what was found and written"},
                     {"--repo", "The repository (default: the current folder's)"},
                     {"--config", "Write to FILE (default: perf-compare.json at the top)"}}),
         init_command,
         {{"perf-compare init --dry-run", "print the config without writing it"},
          {"perf-compare init --try", "write only workloads that build and run"},
          {"perf-compare init --config ci/perf.json", "write it to another file"},
          {"perf-compare init --outside ../bench", "measure old releases with a new benchmark"}}},
        {"compare",
         "Test whether HEAD is slower or uses more memory than BASE (the default command)",
         "",
         {argument("BASE", into(&Options::base),
                   "Revision, pinned baseline, `.` (the working tree) or `baseline`"),
          argument("HEAD", into(&Options::head), "Revision or `.`")},
         options_of(kWorkloads + kPolicy + kEffort + kEveryFormat + kProgress +
                        " --metric --base-set --head-set --vary --control --measure --count "
                        "--profile-changes --policy --git-bisect --strict --shard",
                    {kEveryGithub}),
         compare_command,
         {{"perf-compare", "HEAD against the base of the CI event, or the merge base"},
          {"perf-compare v1.2 HEAD -w 'parser/*'", "two revisions, some workloads"},
          {"perf-compare HEAD .", "the working tree, uncommitted changes included"},
          {"perf-compare HEAD --vary threads=1,2,4", "settings of one revision"},
          {"perf-compare baseline HEAD --budget 5m --markdown report.md", "in a CI job"}}},
        {"selftest",
         "Check that regressions are detected: plant a slowdown and an allocation",
         "Measures every workload of the size (select with -w) against itself: unchanged, with a "
         "slowdown and with an allocation of 1.5 times the threshold.\n"
         "Exit status: 0 both were detected, without false alarms; 1 one was missed, or a false "
         "alarm; 2 usage error; 3 could not plant or measure; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "The revision (default HEAD)")},
         options_of(kWorkloads + kPolicy + kEffort + kPages + kProgress,
                    {{"--size", "smoke (default), ci or full"},
                     {"--budget", "Measuring time, all three arms together (default " +
                                      duration_text(kSelftestBudget) + ")"}}),
         selftest_command,
         {{"perf-compare selftest", "the smoke size of HEAD"},
          {"perf-compare selftest -w parser --threshold 5%", "one workload, a lower threshold"}}},
        {"collect",
         "Measure a revision, or a range of history, and store the results",
         "A range is measured along the first-parent line, oldest commit first; with --missing "
         "only its gaps, so that the same command continues an interrupted one. With --programs "
         "every commit is built and traced, and each program is measured at three of its commits. "
         "--budget covers all commits (default: 10m for a revision, no limit for a range).\n"
         "Exit status: 0 measured; 2 usage error; 3 could not measure; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "A revision (default HEAD), or a range A..B")},
         options_of(kWorkloads + kEffort + kPages + kProgress +
                        " --every --missing --programs --anchor --shard --hub --writer",
                    {{"--pairs",
                      "Processes (pairs) of every workload (default " +
                          std::to_string(kCollectedProcesses) + ")",
                      "N", read_number_of_pairs},
                     {"--shard", "Measure part I of N of the workloads, one per job"}}),
         collect_command,
         {{"perf-compare collect HEAD", "every night: the latest commit"},
          {"perf-compare collect v1.2..HEAD --every 5 --missing", "fill the gaps of a history"},
          {"perf-compare collect HEAD --anchor release", "paired with a pinned baseline"}}},
        {"trend",
         "Show changes along the collected history, with the commits that caused them",
         "Measures nothing without --confirm. An alert is new only the first time.\n"
         "Exit status: 0; 1 --fail-on matches, or a comparison of --confirm regressed; 2 usage "
         "error; 3 the history could not be read; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "The end of the history (default HEAD)")},
         options_of(kWorkloads + kEffort + kEveryFormat + kProgress +
                        " --hub --points --writer --since --fail-on --confirm --metric --threshold "
                        "--alpha",
                    {{"--metric", "Only this metric (repeatable)"},
                     {"--threshold",
                      "Steps below it are shown, but are not alerts (default: all are alerts)"},
                     {"--alpha", "Error rate of each comparison of --confirm"},
                     {"--budget", "Measuring time of --confirm" + default_budget},
                     kEveryGithub}),
         trend_command,
         {{"perf-compare trend --fail-on new", "every night: exit with 1 on a new alert"},
          {"perf-compare trend --since 30d -w 'parser/*'", "the last month of some workloads"},
          {"perf-compare trend --confirm --budget 20m", "measure the suspected commits"}}}}},
      {"Finding the cause",
       {{"bisect",
         "Find the commit between GOOD and BAD that made a workload slower",
         "With --list FILE -- COMMAND, the lines of FILE (wheels, releases, dates, ...) are "
         "searched "
         "instead of commits: the first is GOOD, the last BAD. No repository is needed, and "
         "nothing is stored without --db. For commits, -w must match exactly one workload, or one "
         "benchmark of a workload "
         "(NAME/BENCHMARK). "
         "Commits with the same program are measured once. The same command continues an "
         "interrupted search.\n"
         "Exit status: 1 a commit was found; 4 GOOD and BAD do not differ, or no commit is "
         "certain; 2 usage error; 3 could not measure, or the budget ended first; 130 or 143 "
         "interrupted.",
         {unless("--list",
                 argument("GOOD", into(&Options::base), "A revision before the regression")),
          unless("--list",
                 argument("BAD", into(&Options::head), "A revision with the regression"))},
         options_of(
             kWorkloads + kPolicy + kEffort + kPages + kProgress +
                 " --metric --measure --list --prepare --env --format --name",
             {{"--metric", "The metric to search by (default step_time)"},
              {"--measure",
               "changed (default): measure commits with the same program once; or all"},
              {"--threshold",
               "The smallest step to search for (default " + percentage_text(kSmallestStep) + ")"},
              {"--budget", "Measuring time of the whole search" + default_budget},
              {"--prepare", "With --list: run COMMAND before each process, untimed, to install {}"},
              {"--env", "With --list: set a variable (repeatable)"},
              {"--format",
               "With --list: how the output is read (default: steps, if GOOD writes "
               "PERF_COMPARE_OUT, else process: time and memory of the whole process)"},
              {"--name", "With --list: the benchmark's name in the report"}}),
         bisect_command,
         {{"perf-compare bisect v1.2 HEAD -w parser", "the commit that made parser slower"},
          {"perf-compare bisect --list tags.txt -- docker run --rm app:{} bench",
           "the line of tags.txt"}}},
        {"ratchet",
         "Pin a commit as the new best if it is proven to be better",
         "For loops that try many candidates: the probability that any is accepted wrongly is 1 %, "
         "however many there are. Other metrics must not get worse, and checks must pass; the "
         "policy of the best applies. Begin with: perf-compare pin NAME REV. The same command "
         "continues a stopped attempt.\n"
         "Exit status: 0 accepted, or the log shown; 1 not accepted; 2 usage error; 3 could not "
         "measure; "
         "130 or 143 interrupted.",
         {baseline, argument("HEAD", into(&Options::revision), "The candidate (default HEAD)")},
         options_of(kWorkloads + kPages + kProgress +
                        " --metric --at-least --budget --rebuild --pool --dry-run --log --measure",
                    {{"--metric", "The metric to improve (default step_time)"},
                     {"--budget", "Measuring time of the attempt" + default_budget},
                     {"--dry-run", "Judge, but accept nothing"},
                     {"--log", "Show all attempts, and the measured gain"},
                     {.name = "--measure",
                      .description = "With --log: measure the whole gain, in fresh pairs",
                      .flag = &Options::measure_gain}}),
         ratchet_command,
         {{"perf-compare ratchet best HEAD -w parser", "accept HEAD if it is faster by 1 %"},
          {"perf-compare ratchet best --log --measure",
           "the gain of all accepted candidates together"}}},
        {"profile",
         "Show where a workload spends its time; with REV2, what changed",
         "Exit status: 0 profiled; 2 usage error; 3 could not measure; 130 or 143 interrupted.",
         {argument("REV", into(&Options::revision), "The revision (default HEAD)"),
          argument("REV2", into(&Options::second_revision), "The revision to compare with")},
         options_of(kWorkloads + kPages + kProgress + " --seed --rebuild",
                    {{"--seed", "Seed of the workload"}}),
         profile_command,
         {{"perf-compare profile -w parser HEAD~1 HEAD", "the difference between the two"}}}}},
      {"Stored results",
       {{"report",
         "Show a stored comparison again, in any format",
         "Measures nothing and shows the stored verdicts; with --db no repository is needed. "
         "--join judges the shards of one comparison (compare --shard): one report, one error "
         "rate. Shards of different plans and shards measured twice are refused.\n"
         "Exit status: that of the comparison: 0 nothing regressed; 1 a regression, a missed "
         "target or a failed output check; 3 could not measure or compare, or a shard is missing; "
         "4 "
         "inconclusive, incomparable or missing results (only with --strict); 2 usage error, or "
         "unknown run.",
         {argument("ID", into(&Options::run),
                   "A run, or the beginning of its id (default: the latest comparison)")},
         options_of(kRepository + kEveryFormat + " --strict --quiet --join",
                    {{"--quiet", "Do not print which run is shown"}, kEveryGithub}),
         report_command,
         {{"perf-compare report --join shard-*.db", "the stores of `compare --shard I/N --db`"}}},
        {"list",
         "List the runs of the store",
         "Exit status: 0 listed, or no runs; 2 usage error; 3 no store, or the store failed.",
         {},
         options_of(kRepository + kJson + " --hub --limit --workload",
                    {{"--hub", kReadsHub},
                     {"--workload", "Only runs of workloads that match (repeatable)"}}),
         list_command},
        {"show",
         "Show the stored data of a run or a revision",
         "Exit status: 0 shown; 2 usage error, or unknown name; 3 no store, or the store failed.",
         {argument("ID|REV", into(&Options::run),
                   "A run, the beginning of its id, or a revision (default: the latest run)")},
         options_of(kRepository + kJson + " --hub --workload --metric",
                    {{"--hub", kReadsHub},
                     {"--workload", "For a revision: only workloads that match (repeatable)"},
                     {"--metric", "For a revision: only this metric (repeatable)"}}),
         show_command},
        {"alert",
         "Record a decision about an alert of trend: ack, ignore or fixed",
         "ack: under investigation. ignore: accepted, no longer listed. fixed: a later commit "
         "fixes it; if later points contradict that, the alert is open again. --fail-on skips all "
         "three. The latest "
         "decision counts; earlier ones are kept.\n"
         "Exit status: 0 recorded; 2 usage error, or unknown alert; 3 no store, or the store "
         "failed.",
         {one_of("DECISION", decisions, &Options::decision),
          required(argument("ID", into(&Options::run),
                            "An alert, or the beginning of its id, as trend shows it"))},
         options_of(kRepository + " --reason",
                    {{"--reason", "The reason, shown in every report", "", {}, true}}),
         alert_command,
         {{"perf-compare alert ack 3f2a9c01d2e4 --reason 'Ada bisects'",
           "stop failing the nightly job"}}}}},
      {"Machine",
       {{"doctor",
         "Find the causes of noisy timings on this machine, with remedies",
         "Exit status: 0 checked; 2 usage error; 3 could not check; 4 problems found (only with "
         "--strict).",
         {},
         options_of(kRepository + " --config" + kPages + " --strict --verbose",
                    {{"--strict", "Exit with 4 if there are problems"},
                     {"--verbose", "Also show passed and unavailable checks"}}),
         doctor_command},
        {"calibrate",
         "Measure the detectable change and false alarms of this machine",
         "Exit status: 0 measured, whatever the result; 2 usage error; 3 could not measure; 130 "
         "or 143 interrupted.",
         {argument("REV", into(&Options::revision),
                   "The revision to measure against itself (default HEAD)")},
         options_of(kWorkloads + kPolicy + kEffort + kPages + kProgress + " --show",
                    {{"--pairs",
                      "Pairs of every workload (default " + std::to_string(kCalibrationPairs) + ")",
                      "N", read_number_of_pairs}}),
         calibrate_command,
         {{"perf-compare calibrate", "measure HEAD against itself"},
          {"perf-compare calibrate --show", "show the last calibration of this machine"}}}}},
      {"Baselines",
       {{"pin",
         "Name a revision as a baseline",
         "Exit status: 0 pinned; 2 usage error; 3 the store failed.",
         {baseline, argument("REV", into(&Options::revision), "The revision (default HEAD)")},
         options_of(kRepository + " --reason"),
         pin_command,
         {{"perf-compare pin release v1.2 --reason 'shipped'", "then: compare release HEAD"}}},
        {"unpin",
         "Remove a baseline (its measurements stay in the store)",
         "Exit status: 0 removed; 2 usage error, or unknown baseline; 3 the store failed.",
         {baseline},
         options_of(kRepository + " --reason"),
         unpin_command},
        {"pins",
         "List the baselines of the store and of the config",
         "Exit status: 0 listed, or no baselines; 2 usage error; 3 the store failed.",
         {},
         options_of(kRepository + " --config --log"),
         pins_command}}},
      {"External measurements",
       {{"judge",
         "Judge result files or stored results; measures nothing",
         "BASE and HEAD are files (docs/formats.md), folders of them, reports of --json or, where "
         "no file has the name, revisions: then their stored results are judged.\n"
         "Exit status: 0 nothing regressed; 1 a regression; 2 usage error; 3 nothing was compared, "
         "or a benchmark failed; 4 inconclusive, missing or incomparable (only with --strict).",
         {unless("--base",
                 argument("BASE", into(&Options::file),
                          "File, folder, revision, or - (standard input); without HEAD: pairs, "
                          "{\"cases\": {NAME: {\"threshold\", \"base\", \"head\"}}}")),
          argument("HEAD", into(&Options::second_file), "The same")},
         options_of(kWorkloads + kPolicy + kEveryFormat + kProgress +
                        " --metric --base --head --history --environment --together --looks "
                        "--pairs --policy --strict",
                    {{"--environment",
                      "The machine, or pool of equal machines, on which all files were measured"},
                     {"--pairs", "Use at most MAX stored pairs"},
                     kEveryGithub}),
         judge_command,
         {{"perf-compare judge base.json head.json", "output of the same benchmark, twice"},
          {"perf-compare judge v1.2 HEAD", "stored results of two revisions"},
          {"perf-compare judge --base a1.json a2.json --head b1.json b2.json",
           "several sessions of each side"}}},
        {"detect",
         "Find change points in series that were measured elsewhere",
         "Writes {\"SERIES\": [positions]}: for each series the first points after a change, by "
         "their index in a CSV, else by their 0-based position, gaps included.\n"
         "Exit status: 0, whatever was found; 2 usage error; 3 could not be written.",
         {required(argument("FILE", into(&Options::file),
                            "Lines `name value value ...`, CSV `series,index,value`, or JSON "
                            "{\"NAME\": [value, ...]} (- is standard input)"))},
         options_of(" --json --scale",
                    {{"--json", "Write the positions to FILE (default: standard output)"}}),
         detect_command},
        {"import",
         "Import results of another benchmark tool into the history",
         "A session of the same commit and machine is stored once, even if it is imported "
         "again.\n"
         "Exit status: 0 imported, or already stored; 2 usage error, or nothing to import; 3 the "
         "store failed.",
         {one_of("FORMAT", formats::foreign_formats(), &Options::format),
          files("FILE",
                "The tool's output, or a folder of it (- is standard input; "
                "target/criterion@NAME is a saved baseline)")},
         options_of(kRepository + " --rev --environment --as --size --quiet",
                    {{"--quiet", "Print only what was left out"}}),
         import_command,
         {{"perf-compare import hyperfine out.json --rev v1.2", "values of a commit"},
          {"perf-compare import criterion target/criterion --rev HEAD --as bench",
           "in one series with the workload bench"}}}}},
      {"Store and hubs",
       {{"merge",
         "Merge the runs of other stores into this one",
         "Runs are recognized by their id, so merging twice is harmless. Pins are only "
         "listed, unless --pins is given.\n"
         "Exit status: 0 merged, or already stored; 2 usage error; 3 a store failed.",
         {files("DB", "The stores to read; they are not changed")},
         options_of(kRepository + " --pins"),
         merge_command},
        {"export",
         "Write a compact copy of the store, or of one run",
         "Exit status: 0 written; 2 usage error; 3 could not be written.",
         {required(argument("FILE", into(&Options::file), "A new file"))},
         options_of(kRepository + " --run"),
         export_command},
        {"prune",
         "Delete old raw steps from the store, or old months from a hub",
         "The store always keeps data that a pin needs, data next to a change point, and every "
         "summary.\n"
         "Exit status: 0 pruned, or nothing to prune; 2 usage error; 3 the store failed.",
         {hub},
         options_of(kRepository + " --config --keep-steps --keep-months --dry-run"),
         prune_command},
        {"sync",
         "Pull runs from a hub, then push to it",
         kHubHelp,
         {hub},
         options_of(kHub),
         sync_command,
         {{"perf-compare sync git:origin", "in references that clones do not fetch"},
          {"perf-compare sync dir:/mnt/perf", "in a shared folder"}}},
        {"pull",
         "Fetch the runs of other machines from a hub",
         kHubHelp,
         {hub},
         options_of(kRepository + " --config"),
         pull_command},
        {"push",
         "Send the runs of this store to a hub",
         kHubHelp,
         {hub},
         options_of(kHub + " --untrusted"),
         push_command},
        {"hub",
         "Trust a hub; create, upgrade, index or check a PostgreSQL hub",
         "trust: from now on, the hub that the config names gets this user's credentials on this "
         "machine. The other actions need PostgreSQL: init creates the tables and the roles "
         "perf_writer, "
         "perf_reader and perf_indexer, which the owner grants to users; upgrade migrates the "
         "tables of an older perf-compare; index checks new payloads and computes their points, "
         "which trend, list and show read with --hub; status shows the contents.\n"
         "Exit status: 0; 2 usage error; 3 the database could not be reached or refused the "
         "command; index: payloads were refused, the others were indexed.",
         {one_of("ACTION", kHubActions, &Options::hub_action),
          argument(
              "URL", into(&Options::hub),
              "postgres://USER@HOST:PORT/DATABASE, as libpq reads it; trust: any hub (default: "
              "\"hub\" in the config)")},
         options_of(" --all --repo --config"),
         hub_command,
         {{"perf-compare hub init postgres://ada@db.example/perf", "once, as the future owner"},
          {"perf-compare hub status 'postgres://?service=perf'", "by a service of libpq"}}}}}};
}

}  // namespace

const CommandTree& command_tree() {
  static const CommandTree tree = [] {
    CommandTree whole{
        "perf-compare",
        PERF_COMPARE_VERSION,
        "Tests whether a commit made a program slower or use more memory, and by how much, with a "
        "known error rate.",
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
