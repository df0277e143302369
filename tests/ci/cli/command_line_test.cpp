#include <gtest/gtest.h>

#include <algorithm>

#include "ci/cli/options/command_tree.h"
#include "ci/cli/options/options.h"
#include "ci/cli/version.h"
#include "schema/error.h"
#include "tests/contains.h"
#include "tests/thrown_by.h"

namespace perf {
namespace {

TEST(CommandLine, ComparesBaselineAndHeadByDefault) {
  const Options options = parse_command_line({});
  EXPECT_EQ(options.command, "compare");
  EXPECT_EQ(options.base, "baseline");
  EXPECT_EQ(options.head, "HEAD");
}

TEST(CommandLine, ReadsTwoNamesAsCompare) {
  const Options options = parse_command_line({"v1", "v2"});
  EXPECT_EQ(options.command, "compare");
  EXPECT_EQ(options.base, "v1");
  EXPECT_EQ(options.head, "v2");
}

TEST(CommandLine, TakesOptionsBeforeTheCommand) {
  const Options options = parse_command_line({"-C", "pins", "--reason=because", "pin", "release"});
  EXPECT_EQ(options.command, "pin");
  EXPECT_EQ(options.repo, "pins");
  EXPECT_EQ(options.name, "release");
  EXPECT_EQ(options.reason, "because");
}

TEST(CommandLine, ReadsCommandNamesAfterCompareAsRevisions) {
  const Options options = parse_command_line({"compare", "judge", "trend"});
  EXPECT_EQ(options.base, "judge");
  EXPECT_EQ(options.head, "trend");
}

TEST(CommandLine, ReadsOptionsOfInit) {
  const Options options = parse_command_line({"--force", "init", "--config", "perf.json"});
  EXPECT_EQ(options.command, "init");
  EXPECT_TRUE(options.force);
  EXPECT_EQ(options.config, "perf.json");
  EXPECT_TRUE(parse_command_line({"init", "--try"}).try_out);
  EXPECT_EQ(parse_command_line({"init", "--outside", "../bench"}).outside, "../bench");
  EXPECT_THROW(parse_command_line({"init", "v1"}), UsageError);
  for (const char* other : {"--try", "--dry-run", "--config=x"}) {
    EXPECT_THROW(parse_command_line({"init", "--outside", "../bench", other}), UsageError) << other;
  }
}

TEST(CommandLine, ReadsManAndCompletionOnlyAlone) {
  EXPECT_EQ(parse_command_line({"--man"}).command, "");
  EXPECT_EQ(parse_command_line({"--man"}).print.rfind(".TH PERF", 0), 0u);
  EXPECT_EQ(parse_command_line({"--completion=zsh"}).print.rfind("#compdef perf-compare", 0), 0u);
  EXPECT_EQ(parse_command_line({"man"}).base, "man") << "a branch may be called so";
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"--man", "HEAD"}, {"--completion"}, {"--completion", "csh"}, {"HEAD", "--man"}}) {
    EXPECT_THROW(parse_command_line(wrong), UsageError) << wrong.front();
  }
}

TEST(CommandLine, ReadsReportListAndShow) {
  EXPECT_EQ(parse_command_line({"report"}).command, "report");
  EXPECT_EQ(parse_command_line({"report"}).run, "") << "the latest";
  EXPECT_EQ(parse_command_line({"--strict", "report", "3f2a"}).run, "3f2a");
  EXPECT_EQ(parse_command_line({"list"}).limit, 20);
  EXPECT_EQ(parse_command_line({"--limit", "5", "list"}).limit, 5);
  EXPECT_EQ(parse_command_line({"show", "HEAD~1", "--metric", "peak_rss"}).run, "HEAD~1");
  EXPECT_THROW(parse_command_line({"list", "--limit", "0"}), UsageError);
  EXPECT_THROW(parse_command_line({"report", "a", "b"}), UsageError);
}

TEST(CommandLine, ReadsQuantities) {
  const Options options =
      parse_command_line({"a", "b", "--threshold", "2.5%", "--alpha=0.1%", "--budget", "90s",
                          "--pairs", "16:51", "-w", "x/*", "-w", "y"});
  EXPECT_DOUBLE_EQ(*options.threshold, 0.025);
  EXPECT_DOUBLE_EQ(*options.alpha, 0.001);
  EXPECT_DOUBLE_EQ(*options.budget, 90);
  EXPECT_EQ(*options.pairs, std::make_pair(16, 51));
  EXPECT_EQ(options.workloads, (std::vector<std::string>{"x/*", "y"}));
}

TEST(CommandLine, RefusesCombinationsWithAMessage) {
  const std::pair<std::vector<std::string>, std::string> wrong[] = {
      {{"trend", "--pairs=5"}, "--pairs requires --confirm"},
      {{"trend", "--alpha=1%"}, "--alpha requires --confirm"},
      {{"trend", "--budget=1m", "--confirm=false"}, "--budget requires --confirm"},
      {{"trend", "--seed=1"}, "--seed requires --confirm"},
      {{"alert", "ack", "3f2a"}, "--reason is required"},
      {{"alert", "ack", "3f2a", "--reason", " \t"}, "--reason must not be empty"},
      {{"init", "--outside", "../b", "--try"}, "--outside cannot be combined with --try"},
      {{"init", "--outside", "../b", "--config=x"}, "--outside cannot be combined with --config"},
      {{"--shard", "1/2", "--strict"}, "--shard cannot be combined with --strict"},
      {{"calibrate", "--show", "-w", "x"}, "--show cannot be combined with --workload"},
      {{"report", "--join", "a", "--db", "b"}, "--join cannot be combined with --db"},
      {{"report", "3f2a", "--join", "a"}, "--join cannot be combined with ID"},
      {{"judge"}, "missing argument"},
      {{"collect", "--pairs", "2:4"}, "--pairs must be a whole number from 1 to 1000000"},
      {{"list", "--limit", "0"}, "--limit must be a whole number from 1 to 1000000"},
      {{"--threshold", "1000%"}, "--threshold must be above 0 % and below 1000 %"},
      {{"--shard", "3/2"}, "--shard must have the form I/N, with N up to 1000"},
      {{"trend", "--since", ""}, "empty value"},
      {{"import", "go", "f", "--environment", ""}, "empty value"},
      {{"collect", "--budget", "0s"}, "--budget must be above 0"}};
  for (const auto& [arguments, message] : wrong) {
    SCOPED_TRACE(message);
    const auto error =
        thrown_by<UsageError>([arguments = arguments] { parse_command_line(arguments); });
    EXPECT_EQ(error.what, message);
  }
  for (const char* option : {"--pairs=5", "--alpha=1%", "--budget=1m", "--seed=1"}) {
    EXPECT_NO_THROW(parse_command_line({"trend", "--confirm", option})) << option;
    EXPECT_NO_THROW(parse_command_line({"HEAD", option})) << option;
  }
}

// A script may pass --html "$REPORT" with an unset variable.
TEST(CommandLine, RefusesEmptyValues) {
  for (const char* option : {"--html", "--markdown", "--json", "--junit", "--openmetrics",
                             "--plots", "--db", "--config", "--repo"}) {
    EXPECT_THROW(parse_command_line({"HEAD", option, ""}), UsageError) << option;
    EXPECT_NO_THROW(parse_command_line({"HEAD", option, "x"})) << option;
  }
  EXPECT_THROW(parse_command_line({"HEAD", "--html="}), UsageError);
  EXPECT_THROW(parse_command_line({"judge", "--base", "a", "--base", ""}), UsageError);
  EXPECT_THROW(parse_command_line({"report", "--html", ""}), UsageError);
  // `report "$ID"` must not show the latest run.
  EXPECT_THROW(parse_command_line({"report", ""}), UsageError);
  EXPECT_THROW(parse_command_line({"show", ""}), UsageError);
  EXPECT_THROW(parse_command_line({"compare", "", "HEAD"}), UsageError);
  EXPECT_THROW(parse_command_line({"", "HEAD"}), UsageError);
}

TEST(CommandLine, DocumentsTheExitStatusOfEachCommand) {
  for (const char* command : {"merge", "export", "pin", "unpin", "pins", "prune"}) {
    const std::string help = parse_command_line({command, "--help"}).print;
    EXPECT_TRUE(contains(help, "Exit status:"));
    EXPECT_FALSE(contains(help, "perf-compare compare --help"));
  }
}

TEST(CommandLine, TakesOptionsBetweenNames) {
  const Options options = parse_command_line({"-w", "x", "v1", "--metric", "step_time", "v2"});
  EXPECT_EQ(options.base, "v1");
  EXPECT_EQ(options.head, "v2");
  EXPECT_EQ(options.workloads, std::vector<std::string>{"x"});
}

TEST(CommandLine, RunsSelftestAtTheSmokeSizeByDefault) {
  EXPECT_EQ(parse_command_line({"selftest"}).size, "smoke");
  EXPECT_EQ(parse_command_line({"selftest", "--size", "ci", "v1"}).size, "ci");
  EXPECT_EQ(parse_command_line({"selftest", "v1"}).revision, "v1");
  EXPECT_EQ(parse_command_line({}).size, "ci");
}

TEST(CommandLine, FindsEveryCommand) {
  EXPECT_EQ(parse_command_line({"bisect", "a", "b", "-w", "x"}).command, "bisect");
  EXPECT_EQ(parse_command_line({"calibrate"}).command, "calibrate");
  EXPECT_EQ(parse_command_line({"selftest"}).command, "selftest");
  EXPECT_EQ(parse_command_line({"doctor"}).command, "doctor");
  EXPECT_EQ(parse_command_line({"profile", "-w", "x"}).command, "profile");
}

TEST(CommandLine, HasCompleteTables) {
  for (const CommandEntry& command : command_tree().commands) {
    EXPECT_NE(command.run, nullptr) << command.name;
    EXPECT_FALSE(command.group.empty()) << command.name;
    for (const ArgumentEntry& argument : command.arguments) {
      EXPECT_TRUE(argument.read) << command.name << " " << argument.name;
    }
    for (const OptionEntry& option : command.options) {
      const std::string& name = option.names.back();
      EXPECT_NE(option.flag != nullptr || name == "--help", static_cast<bool>(option.read))
          << command.name << " " << name;
      EXPECT_EQ(option.value.empty(), !option.read) << command.name << " " << name;
    }
  }
}

TEST(CommandLine, ReadsArgumentsOfImport) {
  const Options options =
      parse_command_line({"import", "go", "a.txt", "-", "--rev", "v1", "--environment", "lab 7",
                          "--as", "micro", "--size", "full"});
  EXPECT_EQ(options.command, "import");
  EXPECT_EQ(options.format, "go");
  EXPECT_EQ(options.files, (std::vector<std::string>{"a.txt", "-"}));
  EXPECT_EQ(options.import_rev, "v1");
  EXPECT_EQ(options.environment, "lab 7");
  EXPECT_EQ(options.import_as, "micro");
  EXPECT_EQ(options.size, "full");
  EXPECT_EQ(parse_command_line({"import", "go", "a.txt"}).import_rev, "");
  EXPECT_THROW(parse_command_line({"import", "go"}), UsageError);
}

TEST(CommandLine, ReadsGoodAndBadOfBisect) {
  const Options options = parse_command_line({"bisect", "v1", "v2", "-w", "x"});
  EXPECT_EQ(options.base, "v1");
  EXPECT_EQ(options.head, "v2");
  EXPECT_THROW(parse_command_line({"bisect", "v1"}), UsageError);
}

TEST(CommandLine, TakesRevisionsAfterFlags) {
  for (const char* flag :
       {"--control", "--count", "--profile-changes", "--git-bisect", "--strict", "-q", "-v"}) {
    const Options options = parse_command_line({flag, "v1", "v2"});
    EXPECT_EQ(options.base, "v1") << flag;
    EXPECT_EQ(options.head, "v2") << flag;
  }
}

TEST(CommandLine, RecordsWhichRevisionsWereGiven) {
  EXPECT_FALSE(parse_command_line({}).base_given);
  EXPECT_TRUE(parse_command_line({"v1"}).base_given);
  EXPECT_FALSE(parse_command_line({"v1"}).head_given);
  EXPECT_TRUE(parse_command_line({"v1", "v2"}).head_given);
}

TEST(CommandLine, ReadsSettings) {
  const Options options =
      parse_command_line({"HEAD", "--base-set", "backend=eigen", "--head-set", "backend=a=b",
                          "--head-set", "threads=2", "--vary", "layers=1,2,"});
  ASSERT_EQ(options.base_set.size(), 1u);
  EXPECT_EQ(options.base_set[0].key, "backend");
  EXPECT_EQ(options.base_set[0].values, std::vector<std::string>{"eigen"});
  ASSERT_EQ(options.head_set.size(), 2u);
  EXPECT_EQ(options.head_set[0].values, std::vector<std::string>{"a=b"});
  EXPECT_EQ(options.vary->key, "layers");
  EXPECT_EQ(options.vary->values, (std::vector<std::string>{"1", "2", ""}));
  for (const char* wrong : {"backend", "=eigen", ""}) {
    EXPECT_THROW(parse_command_line({"HEAD", "--base-set", wrong}), UsageError) << wrong;
  }
  EXPECT_THROW(parse_command_line({"HEAD", "--vary", "layers=1"}), UsageError);
}

TEST(CommandLine, ShowsTheHelpOfTheCommand) {
  EXPECT_TRUE(contains(parse_command_line({"--threshold", "5%", "--help"}).print, "--budget"));
  EXPECT_TRUE(contains(parse_command_line({"--help"}).print, "perf-compare compare --help"));
  EXPECT_FALSE(contains(parse_command_line({"doctor", "--help"}).print, "missed target"));
}

TEST(CommandLine, RefusesUnknownOptionsAndInvalidValues) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"a", "b", "c"},
                                             {"--no-such-option"},
                                             {"a", "b", "--threshold", "fast"},
                                             {"a", "b", "--threshold", "0%"},
                                             {"a", "b", "--alpha", "60%"},
                                             {"a", "b", "--pairs", "24:16"},
                                             {"a", "b", "--pairs", "0"},
                                             {"a", "b", "--size", "huge"},
                                             {"a", "b", "--seed", "-1"},
                                             {"a", "b", "--seed", "9007199254740993"},
                                             {"a", "b", "--seed", "999999999999999999999999999999"},
                                             {"a", "b", "--color", "pink"},
                                             {"judge"},
                                             {"pin"}}) {
    EXPECT_THROW(parse_command_line(wrong), UsageError) << wrong.back();
  }
}

TEST(CommandLine, PrintsHelpAndVersion) {
  EXPECT_TRUE(contains(parse_command_line({"--help"}).print, "baseline"));
  EXPECT_TRUE(contains(parse_command_line({"judge", "--help"}).print, "--together"));
  EXPECT_TRUE(contains(parse_command_line({"judge", "--help"}).print, "perf-compare judge"));
  EXPECT_EQ(parse_command_line({"--version"}).print.rfind("perf-compare ", 0), 0u);
  EXPECT_EQ(std::ranges::count(parse_command_line({"--version"}).print, '\n'), 1);
  EXPECT_EQ(parse_command_line({"--help"}).command, "");
}

TEST(CommandLine, PrintsAVerboseVersionForBugReports) {
  const std::string text = parse_command_line({"--version", "--verbose"}).print;
  EXPECT_EQ(text.rfind(parse_command_line({"--version"}).print, 0), 0u);
  EXPECT_TRUE(contains_all(text, {"commit", "compiler", "glibc", "SQLite", "SQLiteCpp", "libgit2",
                                  "fmt", "nlohmann-json", "CLI11", "left out"}));
  EXPECT_FALSE(contains(text, " ,")) << "a version is not known";
}

TEST(CommandLine, NamesMissingHelpersInTheVerboseVersion) {
  const std::string text = render_verbose_version(command_tree(), "/nowhere/bin/perf-compare");
  EXPECT_TRUE(contains_all(text, {"missing", "/nowhere/lib/perf-compare/perf-supervisor"}));
}

}  // namespace
}  // namespace perf
