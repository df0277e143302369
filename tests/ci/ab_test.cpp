// `perf-compare ab`: two commands, without a repository.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "schema/files/content.h"
#include "tests/ci/claimed_benchmark.h"
#include "tests/ci/claimed_history.h"
#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

/// A folder that is no repository.
class Commands {
 public:
  Commands() {
    fs::create_directories(here());
    fs::create_directories(temporary());
  }

  void write(const std::string& name, const std::string& text) const {
    const fs::path file = here() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    fs::permissions(file, fs::perms::owner_all);
  }
  /// A folder with a benchmark that claims to take `work` ms.
  void write_benchmark(const std::string& folder, const std::string& work) const {
    write(folder + "/bench", kClaimedBenchmark);
    write(folder + "/work", work);
  }

  Outcome ab(Words arguments) const {
    arguments.insert(arguments.begin(), {PERF_BINARY_DIR "/bin/perf-compare", "ab"});
    return run(arguments, here(), {{"TMPDIR", temporary()}, {"HOME", "/nonexistent"}});
  }
  /// The report of commands that take part in one comparison.
  Json report(Words arguments) const {
    arguments.insert(arguments.end(), {"--json", "-"});
    const Outcome outcome = ab(arguments);
    EXPECT_TRUE(Json::accept(outcome.out)) << outcome.err;
    return Json::parse(outcome.out);
  }
  /// Why the commands were measured; empty: they run the same program.
  std::string because(Words arguments) const {
    arguments.insert(arguments.end(), {"--budget", "1s"});
    const Json first = report(arguments)["comparisons"].at(0);
    return first["basis"] == "same program" ? "" : first.value("measured_because", "unknown");
  }

  fs::path here() const { return folder_.path() / "here"; }
  fs::path temporary() const { return folder_.path() / "temporary"; }

 private:
  TemporaryFolder folder_;
};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) {
    all += text;
  }
  return all;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    names.insert(entry.path().string());
  }
  return names;
}

// Pairs of two seconds and more: the verdict rests on six, on a busy machine on one or two more.
TEST(Ab, DecidesDearCommandsByFewProcesses) {
  const Commands commands;
  for (const auto& [head, verdict] : std::map<std::string, std::string>{
           {"sleep 2.4", "regressed"}, {"sleep 1.01", "unchanged"}}) {
    const Json report = commands.report({"sleep 1.0", head, "--metric", "step_time", "--measure",
                                         "all", "--seed", "2", "--threshold", "50%"});
    const Json step_time = row(report, "sleep");
    EXPECT_EQ(step_time["verdict"], verdict) << step_time.dump(1);
    EXPECT_LE(step_time["pairs"], 10);
    expect_says(step_time["notes"].dump(),
                "decided at " + step_time["pairs"].dump() +
                    " pairs: a state that only some of head's processes enter may be unseen");
    EXPECT_EQ(report["policy"]["looks"], 6);
  }
}

TEST(Ab, FindsTheSlowerCommand) {
  const Commands commands;
  commands.write_benchmark("v1", "100");
  commands.write_benchmark("v2", "130");
  const Words slower{"./bench", "sh bench", "--base-dir", "v1", "--head-dir", "v2"};
  const Outcome outcome = commands.ab(slower);
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  expect_says(outcome.out, "Regressed: command is slower");
  expect_says(outcome.out, "base ./bench\n");
  expect_says(outcome.out, "again: perf-compare ab --base-dir v1 --head-dir v2 --seed");

  const Json report = commands.report(slower);
  EXPECT_NEAR(row(report, "command")["change"], 0.30, 0.02);
  EXPECT_EQ(report["base"]["kind"], "command");
  EXPECT_EQ(report["base"]["command"], "./bench");
  EXPECT_EQ(report["head"]["command"], "sh bench");
  EXPECT_EQ(report["base"]["digest"].get<std::string>().size(), 32U);
  EXPECT_NE(report["base"]["digest"], report["head"]["digest"]);
}

TEST(Ab, LeavesNothingBehind) {
  const Commands commands;
  commands.write_benchmark("v1", "100");
  commands.write_benchmark("v2", "100");
  const std::set<std::string> before = names_in(commands.here());
  for (const char* measure : {"all", "changed"}) {
    EXPECT_EQ(
        commands.ab({"v1/bench", "v2/bench", "--measure", measure, "--pairs", "12"}).exit_code, 3)
        << "neither finds its file `work` from here";
    EXPECT_EQ(commands
                  .ab({"./bench", "./bench", "--base-dir", "v1", "--head-dir", "v2", "--measure",
                       measure, "--pairs", "12"})
                  .exit_code,
              0);
  }
  EXPECT_EQ(names_in(commands.here()), before);
  EXPECT_EQ(names_in(commands.temporary()), std::set<std::string>{});
  EXPECT_FALSE(fs::exists("/nonexistent"));
}

TEST(Ab, KnowsTheSameProgram) {
  if (nothing_can_be_traced()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  const Commands commands;
  commands.write_benchmark("v1", "100");
  commands.write_benchmark("v2", "100");
  commands.write("v2/README.md", "of version 2\n");
  commands.write("v2/other.sh", "# Not called.\n");
  for (const char* copy : {"old", "new", "x/true-fast", "x/true-slow", "x/true-2", "one"}) {
    commands.write(copy, content_of("/bin/true"));
  }
  fs::create_hard_link(commands.here() / "one", commands.here() / "twin");
  commands.write("script", "#!/bin/sh\ntrue\n");
  commands.write("script_too", "#!/bin/sh\ntrue\n");
  commands.write("arm", "1\n");
  commands.write("leg", "1\n");
  commands.write("a/old", "#!/bin/sh\n. ${0%/*}/lib\n");
  commands.write("b/old", "#!/bin/sh\n. ${0%/*}/lib\n");
  commands.write("a/lib", "true 1\n");
  commands.write("b/lib", "true 2\n");
  for (const char* folder : {"release", "debug"}) {
    commands.write(std::string(folder) + "/app", "#!/bin/sh\ncase $0 in *debug*) true;; esac\n");
    commands.write(std::string(folder) + "/out/x", "");
  }
  // One makes a cache that the other finds: each reads a library of its own all the same.
  commands.write("c/one.sh", "echo 1 > cache; cat cache; . c/lib\n");
  commands.write("d/two.sh", "echo 1 > cache; cat cache; . d/lib\n");
  commands.write("c/lib", "true\n");
  commands.write("d/lib", "true\n");
  const std::vector<std::pair<Words, std::string>> cases{
      {{"true", "true"}, ""},
      {{"./bench", "./bench", "--base-dir", "v1", "--head-dir", "v2"}, ""},
      {{"./old", "./new"}, ""},
      {{"x/true-fast", "x/true-slow"}, ""},
      {{"./one", "./twin"}, "are two names of one file, which may depend on its name"},
      {{"x/true-fast", "x/true-2"}, "true-2 may act by its path, which has the words 2"},
      {{"./script", "./script_too"}, ""},
      {{"./old", "./script"}, "script differs"},
      {{"release/app", "debug/app"}, "app may act by its path"},
      {{"a/old", "b/old"}, "lib: line 1"},
      {{"true arm", "true leg"}, "the commands differ: arm, leg"},
      {{"true release/out", "true debug/out"}, "which is not read"},
      {{"cat ./arm", "cat ./leg"}, "the commands differ"},
      {{"sh c/one.sh", "sh d/two.sh"}, "the commands differ"},
      {{"true 1", "true 2"}, "the commands differ: 1, 2"},
      {{"true", "true 2"}, "the commands differ"},
      {{"true", "true", "--head-env", "N=2"}, "the variables of the commands differ"},
      {{"cat ./old a/lib", "cat ./new b/lib"}, "the commands differ in several files or folders"},
      {{"ls", "ls", "--head-dir", "a"}, "one side's folder contains the other's"},
      {{"nosuch | true", "nosuch | true", "--shell"}, "nosuch: not found"},
      {{"true", "true", "--env", "LD_PRELOAD=/nonexistent.so"}, "cannot be preloaded"},
  };
  for (const auto& [arguments, why] : cases) {
    const std::string because = commands.because(arguments);
    EXPECT_TRUE(why.empty() ? because.empty() : because.find(why) != std::string::npos)
        << arguments[0] << ", " << arguments[1] << ": " << because;
  }
}

/// Equal folders v8 and v9: what works v8 or v9 times must be measured, whatever it asks for that.
/// The program that a source in C makes.
std::string compiled(const std::string& source) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "program.c") << source;
  const Outcome outcome =
      run({PERF_C_COMPILER, "-O1", "-o", "program", "program.c"}, folder.path());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return content_of(folder.path() / "program");
}

TEST(Ab, MeasuresWhatMayActByItsPath) {
  if (nothing_can_be_traced()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  const Commands commands;
  const std::string loop = "i=0; while [ $i -lt 9 ]; do i=$((i + 1)); done\n";
  const std::map<std::string, std::string> files{
      {"loop", "#!/bin/sh\n" + loop},
      {"goes", "#!/bin/sh\ncd \"$(dirname \"$0\")\" && " + loop},
      {"glob", "#!/bin/sh\ncase $0 in */v[89]/*) sleep .01;; esac\n"},
      {"number", "#!/bin/sh\nd=${0%/*}; exec seq ${d##*v}\n"},
      {"folder", "#!/bin/sh\nexec seq ${PWD##*v}\n"},
      {"back", "#!/bin/sh\ncd /; exec seq $(cd - | tr -dc 0-9)\n"},
      {"itself", "#!/bin/sh\nfor i in ../*; do [ $i -ef . ] && exec seq ${i##*v}; done\n"},
      {"parent", "#!/bin/sh\nexec ps -o args= $$\n"},
      {"reads_loop", ". ./loop\n"},
      {"reads_folder", ". ./folder\n"},
      {"Makefile", "all:\n\t@true\nnamed:\n\t@seq $(lastword $(subst v, ,$(CURDIR)))\n"},
      {"loop.mk", "all:\n\t@true\n"},
      {"seq.awk", "BEGIN { while (i < 9) i++ }\n"}};
  const std::string counts = compiled("int main(void) { return 0; }"),
                    tells = compiled(
                        "#include <stdlib.h>\n#include <string.h>\n"
                        "int main(int n, char** argv) {\n"
                        "  for (n = atoi(strchr(argv[0], 118) + 1); n > 0; --n) {}\n"
                        "  return n;\n}");
  for (const char* folder : {"v8", "v9", "old", "new"}) {
    for (const auto& [name, text] : files) {
      commands.write(std::string(folder) + "/" + name, text);
    }
    commands.write(std::string(folder) + "/true", content_of("/bin/true"));
    commands.write(std::string(folder) + "/sub/asks", content_of("/bin/pwd"));
    commands.write(std::string(folder) + "/counts", counts);
    commands.write(std::string(folder) + "/tells", tells);
  }
  for (const char* folder : {"old", "new"}) {
    commands.write(std::string(folder) + "/named", "# That of old is the new one.\n" + loop);
  }
  commands.write("enters", "#!/bin/sh\ncd $1 && . ./loop\n");
  const auto both = [](const std::string& before, const std::string& after) {
    return Words{before + "v8/" + after, before + "v9/" + after};
  };
  const auto in = [](const std::string& command) {
    return Words{command, command, "--base-dir", "v8", "--head-dir", "v9"};
  };
  const auto shell_in = [&in](const std::string& command) {
    Words words = in(command);
    words.emplace_back("--shell");
    return words;
  };
  const std::vector<std::pair<Words, std::string>> cases{
      {both("", "loop"), ""},
      {both("sh ", "loop"), ""},
      {both("", "goes"), ""},
      {in("./loop"), ""},
      {in("./true"), ""},
      {in("sh reads_loop"), ""},
      {in("make -f loop.mk"), ""},
      {both("awk -f ", "seq.awk"), ""},
      {{"old/true", "new/true"}, ""},
      {both("", "glob"), "v8/glob may act by its path"},
      {both("sh ", "glob"), "v8/glob may act by its path"},
      {both("", "number"), "v8/number may act by its path"},
      {{"sh old/named", "sh new/named"}, "old/named contains the name old"},
      {both("", "true"), "v8/true may act by its path, which has the words v8"},
      {both("", "counts"), ""},
      {both("", "tells"), "v8/tells may act by its path, which has the words v8"},
      {both("./enters ", ""), "enters may act by its path"},
      {in("./folder"), "v8/folder may act by its path"},
      {in("./back"), "v8/back may act by its path"},
      {in("./itself"), "../v8 differs"},
      {in("./parent"), "it asks whether it is traced"},
      {in("sh reads_folder"), "v8/folder may act by its path"},
      {in("make named"), "v8/Makefile may act by its path"},
      {in("sub/asks"), "v8/sub/asks may act by its path, which has the words v8"},
      {shell_in(". ./loop; seq ${PWD##*v}"), "the command may act by its path"},
  };
  for (const auto& [arguments, why] : cases) {
    const std::string because = commands.because(arguments);
    EXPECT_TRUE(why.empty() ? because.empty() : because.find(why) != std::string::npos)
        << arguments[0] << ", " << arguments[1] << ": " << because;
  }
}

TEST(Ab, PreparesEachProcess) {
  const Commands commands;
  commands.write("count", "#!/bin/sh\n[ -e fresh ] && rm fresh\n");
  EXPECT_EQ(commands.ab({"./count", "./count", "--measure", "all", "--pairs", "12"}).exit_code, 3);
  const Words prepared{"./count", "./count", "--measure", "all",
                       "--pairs", "12",      "--prepare", "touch fresh"};
  const Outcome outcome = commands.ab(prepared);
  EXPECT_NE(outcome.exit_code, 3) << outcome.out;
  const Outcome failed = commands.ab({"true", "true", "--measure", "all", "--prepare", "false"});
  EXPECT_EQ(failed.exit_code, 3);
  expect_says(failed.out, "prepare failed: exit status 1");
}

// The key of the cache is the content of the source, as Triton's is: in a common folder head would
// find what base has compiled.
TEST(Ab, GivesEachSideItsOwnCachesOfCompilers) {
  if (nothing_can_be_traced()) {
    GTEST_SKIP() << "nothing can be traced here";
  }
  const Commands commands;
  const std::string compiled =
      "#!/bin/sh\n[ -n \"$TRITON_CACHE_DIR\" ] || exit 0\nkernel=$TRITON_CACHE_DIR/$(cksum < "
      "../source | cut -d' ' -f1)\n"
      "if [ -e $kernel ]; then echo warm >> log; else sleep 0.2; echo code > $kernel; "
      "echo cold >> log; fi\n";
  commands.write("source", "for (;;)");
  commands.write("v1/run", compiled);
  commands.write("v2/run", compiled + "exit 0\n");
  const Words sides{"./run", "./run", "--base-dir", "v1", "--head-dir", "v2", "--pairs", "12"};
  const Json step_time = row(commands.report(sides), "run");
  EXPECT_EQ(step_time["pairs"], 12) << step_time.dump(1);
  expect_says(step_time["notes"].dump(), "the first pair was a warm-up");
  expect_says(step_time["notes"].dump(), "$TRITON_CACHE_DIR/");
  for (const char* side : {"v1", "v2"}) {
    const std::string log = content_of(commands.here() / side / "log");
    EXPECT_TRUE(log.ends_with("cold\n" + repeated("warm\n", 12))) << side << ":\n" << log;
  }
}

TEST(Ab, RunsShellsAndSetsVariables) {
  const Commands commands;
  const Outcome outcome =
      commands.ab({"test $SIDE = both-1 | cat", "test $SIDE = both-1", "--shell", "--env",
                   "SIDE=both-1", "--name", "my/name", "--pairs", "12", "--json", "out.json"});
  EXPECT_NE(outcome.exit_code, 3) << outcome.out;
  const Json report = Json::parse(content_of(commands.here() / "out.json"));
  EXPECT_EQ(report["comparisons"][0]["workload"], "my/name");
  EXPECT_EQ(commands.ab({"test $SIDE = 1", "test $SIDE = 1", "--shell", "--base-env", "SIDE=1"})
                .exit_code,
            3)
      << "head has none";
}

TEST(Ab, StoresARunWhereAsked) {
  const Commands commands;
  commands.write_benchmark("v1", "100");
  commands.write_benchmark("v2", "130");
  const Outcome outcome =
      commands.ab({"./bench", "./bench", "--base-dir", "v1", "--head-dir", "v2", "--db", "ab.db"});
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const std::string program = PERF_BINARY_DIR "/bin/perf-compare";
  const Outcome again = run({program, "report", "--db", "ab.db"}, commands.here());
  EXPECT_EQ(again.exit_code, 1) << again.err;
  // Without the last line: a store may be a stranger's, and the line would run any command.
  const std::string before = outcome.out.substr(0, outcome.out.find("\n  again: perf-compare ab "));
  EXPECT_EQ(again.out, before);
  const Outcome list = run({program, "list", "--db", "ab.db"}, commands.here());
  expect_says(list.out, "regressed");
}

/// The options of `ab`, by its help.
std::set<std::string> known_options(const std::string& help) {
  std::set<std::string> options;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("--");
    if (at == 6 && (line.starts_with("      ") || line.starts_with("  -"))) {
      options.insert(line.substr(at, line.find_first_of(" ,", at) - at));
    }
  }
  options.erase("--help");
  return options;
}

/// setpriv and the like for another user who may run the program; empty: this user stays.
Words as_another_user() {
  const Words other{"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"};
  Words probe = other;
  probe.insert(probe.end(), {"test", "-x", PERF_BINARY_DIR "/bin/perf-compare"});
  return geteuid() == 0 && run(probe, "/").exit_code == 0 ? other : Words{};
}

TEST(Ab, NeedsNoHomeNoRepositoryAndNoWritableFolder) {
  const Commands commands;
  commands.write_benchmark("v1", "100");
  commands.write_benchmark("v2", "130");
  const fs::path out = commands.temporary().parent_path() / "out";
  fs::create_directories(out);
  fs::permissions(out.parent_path(), fs::perms(0755));
  for (const fs::path& writable : {out, commands.temporary()}) {
    fs::permissions(writable, fs::perms(0777));
  }
  for (const std::string& file : names_in(commands.here())) {
    fs::permissions(file, fs::perms(0555));
  }
  fs::permissions(commands.here(), fs::perms(0555));
  const std::string to = out.string() + "/";
  const bool has_valgrind = run({"valgrind", "--version"}, "/").exit_code == 0;
  const std::vector<std::pair<int, Words>> calls{
      {1, {"./bench",    "./bench",       "--base-dir",   "v1",        "--head-dir", "v2",
           "--db",       to + "ab.db",    "--json",       to + "json", "--html",     to + "html",
           "--markdown", to + "md",       "--junit",      to + "xml",  "--plots",    to + "plots",
           "--github",   "--openmetrics", to + "metrics", "--color",   "always",     "--verbose",
           "--name",     "steps",         "--seed",       "7",         "--pool",     "mine",
           "--metric",   "step_time",     "--threshold",  "5%",        "--alpha",    "2%",
           "--strict",   "--budget",      "60s",          "--pairs",   "11:20",      "--control"}},
      {0,
       {"true; test $A$B = 12", "true; test $A = 1", "--shell", "--env", "A=1", "--base-env", "B=2",
        "--head-env", "C=3", "--prepare", "true", "--format", "process", "--measure", "all",
        "--threshold", "500%", "--quiet"}},
      {has_valgrind ? 0 : 3, {"true", "true", "--count"}}};
  const std::set<std::string> before = names_in(commands.here());
  std::set<std::string> tried;
  for (const auto& [exit_code, arguments] : calls) {
    Words call = as_another_user();
    call.insert(call.end(), {PERF_BINARY_DIR "/bin/perf-compare", "ab"});
    call.insert(call.end(), arguments.begin(), arguments.end());
    const Outcome outcome = run(call, commands.here(),
                                {{"TMPDIR", commands.temporary()},
                                 {"HOME", "/nonexistent"},
                                 {"XDG_CACHE_HOME", ""},
                                 {"GITHUB_STEP_SUMMARY", to + "summary"},
                                 {"GITHUB_OUTPUT", to + "outputs"}});
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.out << outcome.err;
    for (const std::string& argument : arguments) {
      if (argument.starts_with("--")) {
        tried.insert(argument);
      }
    }
  }
  EXPECT_EQ(tried, known_options(commands.ab({"--help"}).out));
  EXPECT_EQ(names_in(commands.here()), before);
  EXPECT_EQ(names_in(commands.temporary()), std::set<std::string>{});
  EXPECT_FALSE(fs::exists("/nonexistent"));
  for (const char* written :
       {"ab.db", "html", "json", "md", "metrics", "outputs", "plots", "summary", "xml"}) {
    EXPECT_TRUE(fs::exists(out / written)) << written;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(out), fs::directory_iterator()), 9);
  fs::permissions(commands.here(), fs::perms(0755));
  for (const char* folder : {"v1", "v2"}) {
    fs::permissions(commands.here() / folder, fs::perms(0755));
  }
}

TEST(Ab, RefusesWhatCannotBeRun) {
  const Commands commands;
  const std::vector<CommandCase> cases{
      {{"true"}, 2, {"HEAD_COMMAND"}},
      {{"true | cat", "true"},
       2,
       {"the command needs a shell, because of |: true | cat", "--shell"}},
      {{"true", "echo $HOME"}, 2, {"because of $"}},
      {{"true", "echo *.txt"}, 2, {"because of *"}},
      {{"A=1 true", "true"}, 2, {"because of A="}},
      {{"echo 'a", "true"}, 2, {"a ' without its end"}},
      {{"", "true"}, 2, {"empty value: BASE_COMMAND"}},
      {{"true", "  "}, 2, {"empty command"}},
      {{"true", "./none"}, 2, {"no such program: ./none"}},
      {{"true", "true", "--base-dir", "none"}, 2, {"no such folder: --base-dir none"}},
      {{"true", "true", "--name", "a b"}, 2, {"--name a b"}},
      {{"true", "true", "--env", "PERF_COMPARE_OUT=x"}, 2, {"sets this variable itself"}},
      {{"true", "true", "--format", "no-such"}, 2, {"no-such"}},
      {{"false", "false"}, 3, {"exit status 1"}},
      {{"false", "true"}, 3, {"New: 1 workload measured at head only: not compared, because base"}},
      {{"./none/x", "./none/x", "--prepare", "true"}, 3, {"could not start: cannot run ./none/x"}},
      {{"true",
        "sh -c 'exit 3; # a comment that is longer than a line of a terminal of 100 columns'"},
       3,
       {"true 'sh -c '\\''exit 3; # a comment that is longer than a line of a terminal of 100 "
        "columns'"}},
      {{"true", "false"}, 3, {"exit status 1"}},
  };
  expect_outcomes(cases, [&](const Words& arguments) { return commands.ab(arguments); });
}

}  // namespace
}  // namespace perf::test
