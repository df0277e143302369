#include "collector/trace/trace_programs.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>

#include "collector/process/temporary_folder.h"
#include "collector/trace/program.h"
#include "schema/text/text_parts.h"
#include "tests/collector/trace/cases.h"
#include "tests/contains.h"

namespace perf {
namespace {

namespace fs = std::filesystem;
using test::Case;
using test::record_of;
using test::run_process;
using test::SideBySide;

/// What other processes offer: listening sockets and shared memory.
class Elsewhere {
 public:
  Elsewhere() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(port_, reinterpret_cast<sockaddr*>(&address), size);
    listen(port_, 9);
    getsockname(port_, reinterpret_cast<sockaddr*>(&address), &size);
    setenv("PORT", std::to_string(ntohs(address.sin_port)).c_str(), 1);
    setenv("SHARED", std::to_string(shared_).c_str(), 1);
    setenv("SHARED_NAME", name_.c_str(), 1);
  }
  ~Elsewhere() {
    close(port_);
    close(socket_);
    shmctl(shared_, IPC_RMID, nullptr);
    fs::remove(name_);
  }
  void listen_at(const std::string& place) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, place.c_str(), sizeof address.sun_path - 1);
    bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    listen(socket_, 9);
  }
  const std::string& name() const { return name_; }

 private:
  int port_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0),
      socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
      shared_ = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  std::string name_ = "/dev/shm/perf-compare-test-" + std::to_string(getpid());
};

std::vector<std::string> wrongly_same(const Plan& plan) {
  std::vector<std::string> names;
  for (const PlannedWorkload& one : plan.workloads) {
    if (!one.workload.name.ends_with("/before") &&
        (!one.trace_record || one.trace_record->same())) {
      names.push_back(one.workload.name);
    }
  }
  return names;
}

/// Counts the processes that are started.
RunProcess counting(int& started) {
  return [&started](ProcessRequest request) {
    started += request.command.back() != "true";  // strace itself is tried
    return run_process()(request);
  };
}

/// Writes a file once the clock of files has moved on from the latest thing that was made.
void upgrade(const fs::path& file, const std::string& text) {
  const std::int64_t until = nanoseconds_now() + 50'000'000;
  do {
    test::write_file(file, text);
  } while (built_file_at(file)->changed < until);
}

void tell(const Plan& plan) {
  if (std::getenv("PERF_COMPARE_TELL") != nullptr) {
    for (const PlannedWorkload& one : plan.workloads) {
      std::printf("%-40s %s\n", one.workload.name.c_str(),
                  record_of(plan, one.workload.name).c_str());
    }
  }
}

/// Cases in one repository; none may be called the same.
void expect_none_same(const std::vector<Case>& cases) {
  SideBySide sides(cases);
  const Plan plan = sides.trace();
  tell(plan);
  EXPECT_EQ(wrongly_same(plan), std::vector<std::string>());
  for (const PlannedWorkload& one : plan.workloads) {
    EXPECT_FALSE(record_of(plan, one.workload.name).find(" failed: ") != std::string::npos &&
                 one.workload.name.find("fails") == std::string::npos)
        << one.workload.name << ": " << record_of(plan, one.workload.name);
  }
}

class TracedPrograms : public test::NeedsTracing {};

TEST(TracePrograms, FindsFilesThatDiffer) {
  expect_none_same(test::changed_files());
}

TEST(TracePrograms, FindsDifferencesOnTheWayToFiles) {
  expect_none_same(test::changed_ways());
}

TEST(TracePrograms, FindsProgramsThatDiffer) {
  std::vector<Case> cases = test::changed_programs();
  for (Case& one : test::changed_scripts()) {
    cases.push_back(std::move(one));
  }
  expect_none_same(cases);
}

TEST(TracePrograms, DoubtsWhatFilesDoNotShow) {
  Elsewhere elsewhere;
  SideBySide sides(test::doubtful());
  elsewhere.listen_at(sides.beside("server"));
  test::write_file(sides.beside("later"), "one");
  test::write_file(elsewhere.name(), "one");
  const Plan plan = sides.trace();
  tell(plan);
  EXPECT_EQ(wrongly_same(plan), std::vector<std::string>());
}

TEST_F(TracedPrograms, FindsTheSameProgramAndTracesItOnce) {
  SideBySide sides(test::unchanged());
  const Plan plan = sides.trace();
  tell(plan);
  for (const PlannedWorkload& one : plan.workloads) {
    EXPECT_EQ(record_of(plan, one.workload.name), "same") << one.workload.name;
    EXPECT_EQ(one.trace_record->base_program, one.trace_record->head_program) << one.workload.name;
  }
  EXPECT_TRUE(std::ranges::none_of(plan.workloads, [](const auto& one) {
    return one.trace_record->audited;
  })) << "nothing is measured";
  int started = 0;
  const Plan again = sides.trace({counting(started)});
  EXPECT_EQ(started, 0);
  for (std::size_t i = 0; i < plan.workloads.size(); ++i) {
    const std::string& name = plan.workloads[i].workload.name;
    EXPECT_EQ(record_of(again, name), "same") << name;
    EXPECT_EQ(again.workloads[i].trace_record->base_program,
              plan.workloads[i].trace_record->base_program)
        << name;
  }
  // Base was traced with one seed and head with another, as the sides of the next comparison.
  Plan next = plan;
  std::swap(*next.base, next.head);
  trace_programs(next, {sides.checkouts().head, sides.checkouts().base}, Policy(),
                 {counting(started)});
  EXPECT_EQ(started, 0);
  EXPECT_EQ(record_of(next, "c"), "same");
}

/// Sets a variable of scripts to a or b: whether the seed is even or odd.
const std::string kBySeed = "f=$(echo $((PERF_COMPARE_SEED % 2)) | tr 01 ab); ";

// Two seeds are enough, one a side, where both sides ask for the same.
TEST_F(TracedPrograms, TracesASideAgainOnlyWhereTheSeedDecidesWhatItAsksFor) {
  const std::map<std::string, test::Entry> files{{"aa.a", "one"}, {"bb.b", "one"}};
  int started = 0;
  for (const auto& [run, expected] : {std::pair{"cat aa.a", 2},
                                      {"cat $f$f.$f", 4},
                                      {"[ $f = a ] || cat bb.b; cat aa.a", 4},
                                      {"[ ! -e $f ] || cat bb.b; cat aa.a", 4},
                                      {"[ ! -e $BESIDE/none/$f ] || cat bb.b; cat aa.a", 2},
                                      {"echo > $BESIDE/$f", 4},
                                      {"t=$(mktemp); echo $f > $t; cat $t; rm $t", 2}}) {
    SideBySide sides({{"w", files, files, kBySeed + run}});
    for (const int runs : {expected, 0}) {
      started = 0;
      EXPECT_EQ(record_of(sides.trace({counting(started)}), "w"), "same") << run;
      EXPECT_EQ(started, runs) << run;
    }
  }
}

// With some seeds, both sides fail a check or report one metric more.
TEST_F(TracedPrograms, ComparesReportsOfOneSeed) {
  const auto seeds_of = [](const std::string& name, const std::string& line) {
    Case one = test::with_data(
        name, kBySeed + "s=$PERF_COMPARE_SEED; { echo '{\"type\":\"begin\",\"protocol\":1}'; " +
                  "echo '{\"type\":\"step\",\"seconds\":0.1}'; " + line +
                  "; echo '{\"type\":\"end\"}'; } > $PERF_COMPARE_OUT");
    one.format = "steps";
    SideBySide sides({one});
    Plan plan = sides.trace();
    EXPECT_EQ(record_of(plan, name), "same");
    std::set<std::uint64_t> seeds;
    for (const Invocation& done :
         trace_programs(plan, sides.checkouts(), Policy(), {run_process()})) {
      seeds.insert(done.seed);
    }
    return seeds.size();
  };
  const std::string check = "{\"type\":\"check\",\"name\":\"c\",\"passed\":",
                    metric =
                        "{\"type\":\"metric\",\"name\":\"m\",\"unit\":\"s\",\"better\":\"lower\","
                        "\"value\":";
  EXPECT_EQ(seeds_of("errors", "echo '" + check + "true,\"error\":0.'$s'}'"), 2u);
  EXPECT_EQ(seeds_of("values", "echo '" + metric + "0.'$s'}'"), 2u);
  EXPECT_EQ(seeds_of("fails", "p=true; [ $f = a ] || p=false; echo '" + check + "'$p'}'"), 1u);
  EXPECT_EQ(seeds_of("lacks", "[ $f = a ] || echo '" + metric + "1}'"), 1u);
}

TEST(TracePrograms, AuditsOthersAtEachCommit) {
  std::vector<Case> cases{test::changed_data("changed", "cat data")};
  for (int i = 0; i < 20; ++i) {
    cases.push_back(test::with_data("same" + std::to_string(i), "true"));
  }
  SideBySide sides(cases);
  Plan plan = sides.trace();
  std::set<std::vector<bool>> draws;
  for (const char* oid : {"1", "2", "3", "4", "5"}) {
    plan.head.oid = oid;
    trace_programs(plan, sides.checkouts(), Policy(), {run_process()});
    std::vector<bool> draw;
    for (const PlannedWorkload& one : plan.workloads) {
      draw.push_back(one.trace_record && one.trace_record->audited);
    }
    draws.insert(draw);
  }
  EXPECT_GT(draws.size(), 1u);
}

// A kept trace holds while every answer from outside is the same, also that there was nothing.
TEST_F(TracedPrograms, TracesAgainWhereSomethingOutsideChanged) {
  const auto read_if = [](const std::string& name) {
    return Case{name,
                {{"in", "1"}},
                {{"in", "2"}},
                "if [ -e $BESIDE/" + name + " ]; then cat $(ls ../" + name + "); fi"};
  };
  SideBySide sides({read_if("appears"), test::with_data("stays", "[ ! -e $BESIDE/appears2 ]")});
  int started = 0;
  EXPECT_EQ(record_of(sides.trace({counting(started)}), "appears"), "same");
  started = 0;
  EXPECT_EQ(record_of(sides.trace({counting(started)}), "appears"), "same");
  EXPECT_EQ(started, 0);
  test::write_file(sides.beside("appears"), "");
  EXPECT_EQ(record_of(sides.trace({counting(started)}), "appears"), "appears/in: line 1");
  fs::remove(sides.beside("appears"));
  EXPECT_EQ(record_of(sides.trace({counting(started)}), "appears"), "same");
  EXPECT_EQ(record_of(sides.trace(), "stays"), "same");
}

TEST(TracePrograms, ComparesInputsWhereNothingCanBeTraced) {
  const std::string script = "#!/bin/sh\n";
  SideBySide sides({{"none", {{"in", "1"}}, {{"in", "1"}}, "true"},
                    {"named", {{"in", "1"}}, {{"in", "1"}}, "true", "", {"named/*"}},
                    {"changed", {{"in", "1"}}, {{"in", "2"}}, "true", "", {"changed/*"}},
                    {"no_match", {{"in", "1"}}, {{"in", "2"}}, "true", "", {"nomatch/*"}},
                    {"program",
                     {{"in", "1"}, {"p", test::executable(script + "true")}},
                     {{"in", "1"}, {"p", test::executable(script + "echo")}},
                     "true",
                     "",
                     {"program/in"}},
                    {"variable",
                     {{"in", "1"}, {"d.bin", "1"}},
                     {{"in", "1"}, {"d.bin", "2"}},
                     "cat $F",
                     "",
                     {"variable/in"},
                     "process",
                     true,
                     {{"F", "../variable/d.bin"}}},
                    {"prepare",
                     {{"in", "1"}, {"d.txt", "1"}},
                     {{"in", "1"}, {"d.txt", "2"}},
                     "true",
                     "",
                     {"prepare/in"},
                     "process",
                     true,
                     {},
                     "cp d.txt copy"}});
  const RunProcess without_strace = [](ProcessRequest request) {
    if (request.command.front() == "strace") {
      ProcessResult result;
      result.spawn_error = "there is no strace";
      return result;
    }
    return run_process()(request);
  };
  Plan plan = sides.trace({without_strace});
  EXPECT_EQ(record_of(plan, "none"), "strace is not installed");
  EXPECT_EQ(record_of(plan, "named"), "same");
  EXPECT_EQ(record_of(plan, "changed"), "changed/in: line 1");
  EXPECT_NE(record_of(plan, "no_match"), "same");
  EXPECT_EQ(record_of(plan, "variable"), "variable/d.bin: line 1");
  EXPECT_EQ(record_of(plan, "prepare"), "prepare/d.txt: line 1");
  const auto program = std::ranges::find_if(
      plan.workloads, [](const PlannedWorkload& one) { return one.workload.name == "program"; });
  for (const char* command : {"program/p", "./program/p", "named/../program/p"}) {
    program->workload.command = {command};
    trace_programs(plan, sides.checkouts(), Policy(), {without_strace});
    EXPECT_EQ(record_of(plan, "program"), "program/p: line 2") << command;
  }
}

// As after `apt install`: libraries are younger than the builds, and both sides load the new ones.
TEST_F(TracedPrograms, FindsTheSameProgramAfterAPackageUpgrade) {
  const std::string build = "echo built > $BESIDE/installed";
  SideBySide sides({{"upgraded", {{"in", "1"}}, {{"in", "1"}}, "cat $BESIDE/library"},
                    {"read", {{"in", "1"}}, {{"in", "2"}}, "cat $(cat $BESIDE/choice)"},
                    {"installed", {{"build", build}}, {{"build", build}}, "cat $BESIDE/installed"},
                    {"others", {{"in", "1"}}, {{"in", "1"}}, "cat $BESIDE/file"}});
  std::string list;
  for (const char* name : {"library", "choice", "installed"}) {
    list += sides.beside(name).string() + "\n";
  }
  fs::create_directory(sides.beside("lists"));
  test::write_file(sides.beside("lists") / "p.list", list);
  upgrade(sides.beside("library"), "1");
  upgrade(sides.beside("choice"), "/dev/null");
  upgrade(sides.beside("file"), "1");
  int started = 0;
  TraceTools tools{counting(started)};
  tools.packages = std::make_shared<PackageFiles>(sides.beside("lists"));
  Plan plan = sides.trace(tools);
  EXPECT_EQ(record_of(plan, "upgraded"), "same");
  EXPECT_EQ(record_of(plan, "read"), "same");
  EXPECT_NE(record_of(plan, "installed"), "same") << "the builds wrote it, whosever it is";
  EXPECT_NE(record_of(plan, "others"), "same") << "nobody's";
  EXPECT_NE(record_of(sides.trace(), "upgraded"), "same") << "not in the lists";

  upgrade(sides.beside("choice"), "in");
  started = 0;
  plan = sides.trace(tools);
  EXPECT_EQ(record_of(plan, "read"), "read/in: line 1") << "it reads something else from now on";
  EXPECT_EQ(record_of(plan, "upgraded"), "same");
  EXPECT_EQ(started, 2) << "a workload that asks for nothing upgraded is not traced again";
}

// As `make install`, `pip install .` or `cargo install --path .` leave it.
TEST_F(TracedPrograms, RefusesProgramsThatTheLaterBuildInstalledForBothSides) {
  const auto with = [](const std::string& build, const std::string& run) {
    const std::string name = run.substr(run.rfind('/') + 1);
    return Case{name, {{"build", build}}, {{"build", build + "\n"}}, run};
  };
  const std::string install = "> $BESIDE/", make = "; chmod +x $BESIDE/";
  const std::vector<Case> refused{
      with("echo '#!/bin/sh' " + install + "tool" + make + "tool", "$BESIDE/tool"),
      with("echo 'x = 1' " + install + "m.py", "python3 $BESIDE/m.py"),
      with("cp /bin/true $BESIDE/true-1; ln -sfn true-1 $BESIDE/program", "$BESIDE/program")};
  const std::vector<Case> allowed{
      with("[ -e $BESIDE/once ] || { echo '#!/bin/sh' " + install + "once" + make + "once; }",
           "$BESIDE/once"),  // a dependency: the later build found it
      with("echo 1 " + install + "fonts", "cat $BESIDE/fonts")};
  const std::string copy = "cp table $BESIDE/";
  const Case data{"data",
                  {{"table", "1"}, {"build", copy}},
                  {{"table", "2"}, {"build", copy}},
                  "cat $BESIDE/table"};
  std::vector<Case> cases = refused;
  cases.insert(cases.begin(), data);
  cases.insert(cases.end(), allowed.begin(), allowed.end());
  SideBySide sides(cases);
  const Plan plan = sides.trace();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const PlannedWorkload& one = plan.workloads[i];
    const std::string why = first_line(one.head_failed);
    if (i <= refused.size()) {
      EXPECT_TRUE(why.starts_with(i == 0 ? "both sides read /" : "both sides run /") &&
                  why.ends_with("by head's build last"))
          << cases[i].name << ": " << why;
      EXPECT_EQ(record_of(plan, cases[i].name), why);
    } else {
      EXPECT_EQ(why, "") << cases[i].name;
    }
  }
}

// A cache that is kept by name, not by content: head runs on base's data.
TEST_F(TracedPrograms, RefusesCachesThatOneSideFillsForTheOther) {
  const TemporaryFolder caches;
  setenv("CACHES", caches.path().c_str(), 1);
  const std::string by_name = "[ -e $CACHES/one ] || cp data $CACHES/one; cat $CACHES/one",
                    by_content =
                        "c=$CACHES/$(md5sum < data | cut -c 1-32); "
                        "[ -e $c ] || cp data $c; cat $c";
  SideBySide sides({test::changed_data("by_name", by_name),
                    test::changed_data("by_content", by_content),
                    {"unchanged",
                     {{"data", "1"}, {"b", "1"}},
                     {{"data", "1"}, {"b", "2"}},
                     "cat b; [ -e $CACHES/two ] || cp data $CACHES/two; cat $CACHES/two"}});
  const Plan plan = sides.trace();
  EXPECT_TRUE(contains(plan.workloads[0].head_failed, "in place of by_name/data"));
  EXPECT_EQ(plan.workloads[1].head_failed, "");
  EXPECT_EQ(plan.workloads[2].head_failed, "");
}

TEST_F(TracedPrograms, RefusesFilesThatOneSideWritesForTheOther) {
  const TemporaryFolder settings;
  setenv("SETTINGS", settings.path().c_str(), 1);
  setenv("GOCACHE", (settings.path() / "cache").c_str(), 1);
  for (const char* name : {"written", "replaced", "appended", "cache/trim.txt", "drawn"}) {
    test::write_file(settings.path() / name, "1");
  }
  const auto with = [](const std::string& name, const std::string& base, const std::string& head) {
    return Case{name, {{"s", base}}, {{"s", head}}, ". ./s"};
  };
  const std::string append = "cat $SETTINGS/appended; echo 1 >> $SETTINGS/appended",
                    count = "f=$SETTINGS/$(pwd | md5sum | cut -c 1-9); echo 1 >> $f; cat $f",
                    draw = "cat $SETTINGS/drawn; " + kBySeed +
                           "[ $f = a ] || echo 1 > $SETTINGS/drawn";
  SideBySide sides({with("written", "cat $SETTINGS/written", "echo 2 > $SETTINGS/written"),
                    with("replaced", "cat $SETTINGS/replaced",
                         "cat $SETTINGS/replaced; echo 2 > n; mv n $SETTINGS/replaced"),
                    with("appended", append, append + "; true"),
                    with("cached", "cat $GOCACHE/trim.txt", "echo 2 > $GOCACHE/trim.txt"),
                    with("drawn", draw, draw + "; true"),
                    with("counted", count, count + "; true")});
  const Plan plan = sides.trace();
  unsetenv("GOCACHE");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(plan.workloads[i].head_failed.starts_with("head's run writes "))
        << plan.workloads[i].workload.name << plan.workloads[i].head_failed;
  }
  EXPECT_EQ(plan.workloads[2].head_failed, "") << "both leave it alike";
  EXPECT_EQ(plan.workloads[3].head_failed, "") << "as Go does once a day";
  EXPECT_EQ(plan.workloads[4].head_failed, "") << "by the seed";
  EXPECT_TRUE(plan.workloads[5].head_failed.starts_with("base's run reads and changes "))
      << "earlier runs of one side count: " << plan.workloads[5].head_failed;
}

TEST(PackageFiles, IncludeAlternativesAndTheLoadersCache) {
  const TemporaryFolder folder;
  test::write_file(folder.path() / "a.list",
                   "/.\n/lib/x/liba.so\n/usr/lib/x/libb.so\n/usr/share/a b\n");
  test::write_file(folder.path() / "b.md5sums", "/usr/lib/none.so\n");
  fs::create_symlink("/etc/alternatives/a", folder.path() / "link");
  const PackageFiles files(folder.path());
  for (const char* path : {"/lib/x/liba.so", "/usr/lib/x/liba.so", "/lib/x/libb.so",
                           "/usr/share/a b", "/etc/ld.so.cache", "/etc/alternatives/cc"}) {
    EXPECT_TRUE(files.has(path)) << path;
  }
  EXPECT_TRUE(files.has(folder.path() / "link"));
  for (const char* path : {"/usr/lib/none.so", "/x/liba.so", "/usr/share/a", "/lib/x/liba.so.1",
                           "/etc/ld.so.conf", "/usr/local/lib/x/liba.so"}) {
    EXPECT_FALSE(files.has(path)) << path;
  }
  EXPECT_FALSE(PackageFiles(folder.path() / "none").has("/lib/x/liba.so"));
}

/// The workloads that ran other code than the commits', by the warnings.
std::vector<std::string> of_foreign_code(const Plan& plan) {
  std::vector<std::string> names;
  for (const Warning& warning : plan.warnings) {
    if (warning.kind == WarningKind::foreign_code) {
      names.push_back(warning.about.at("workload"));
    }
  }
  return names;
}

// As an installation for development (pip install -e), LD_LIBRARY_PATH or npm link leaves it.
TEST_F(TracedPrograms, WarnsOfCodeThatIsNotTheCommits) {
  const std::string other = "cat $(ls -d $BESIDE/cache/*/tree | tail -n 1)/other_checkout/data";
  SideBySide sides({test::with_data("working_tree", "cat $REPO/working_tree/data"),
                    test::with_data("by_link", "ln -s $REPO/by_link l && cat l/data; rm l"),
                    {"ignored",
                     {{".gitignore", "in\n"}, {"in", "1"}},
                     {{".gitignore", "in\n"}, {"in", "1"}},
                     "cat $REPO/ignored/in"},
                    test::with_data("other_checkout", other),
                    test::with_data("tool", "cat $REPO/.tools/data"),
                    test::with_data("own", "cat data; ls $REPO/nothing || true")});
  const fs::path tool = fs::path(std::getenv("REPO")) / ".tools" / "data";
  upgrade(tool, "1");
  test::write_file(sides.beside("lists") / "p.list", tool.string() + "\n");
  TraceTools tools{run_process()};
  tools.packages = std::make_shared<PackageFiles>(sides.beside("lists"));
  const Plan plan = sides.trace(tools);
  EXPECT_EQ(wrongly_same(plan), (std::vector<std::string>{"tool", "own"}));
  EXPECT_EQ(of_foreign_code(plan),
            (std::vector<std::string>{"working_tree", "by_link", "other_checkout"}));
  for (const PlannedWorkload& one : plan.workloads) {
    const bool is_foreign =
        one.workload.name != "own" && one.workload.name != "tool" && one.workload.name != "ignored";
    EXPECT_EQ(!one.head_failed.empty(), is_foreign) << one.workload.name;
  }
  EXPECT_TRUE(contains(record_of(plan, "ignored"), "working tree"));
}

// As `pip install .` of last week, `make install` into a prefix, or a build folder of the user: the
// commits' own files are not run.
TEST_F(TracedPrograms, RefusesInstalledCopiesOfWhatTheCommitsChange) {
  const TemporaryFolder installed;
  setenv("INSTALLED", installed.path().c_str(), 1);
  const std::string script = "#!/bin/sh\n";
  for (const char* name : {"changed", "same", "tested"}) {
    test::write_file(installed.path() / "site-packages" / name / "core.py", "value = 1\n");
    test::write_file(installed.path() / name, script);
    fs::permissions(installed.path() / name, fs::perms::owner_all);
  }
  const auto package = [](const std::string& name, const std::string& core,
                          const std::string& test) {
    return std::map<std::string, test::Entry>{{"b.py", "import " + name + ".core\n"},
                                              {name + "/core.py", core},
                                              {name + "/tests/test_core.py", test}};
  };
  const std::string import = "PYTHONPATH=$INSTALLED/site-packages /usr/bin/python3 -c 'import ";
  const auto program = [&](const std::string& name, const std::string& text) {
    return std::map<std::string, test::Entry>{{"b", "1"}, {name, test::executable(script + text)}};
  };
  const std::map<std::string, test::Entry> text{{"b", "1"}};
  SideBySide sides(
      {{"src", package("changed", "1", "1"), package("changed", "2", "1"),
        "cat b.py && cd / && " + import + "changed.core'"},
       {"lib", package("same", "1", "1"), package("same", "1", "1"),
        "cat b.py && cd / && " + import + "same.core'"},
       {"python", package("tested", "1", "1"), package("tested", "1", "2"),
        "cat b.py && cd / && " + import + "tested.core'"},
       {"tool", program("changed", "true"), program("changed", "false"),
        "cat b && $INSTALLED/changed"},
       {"own", program("changed", "true"), program("changed", ":"),
        "./changed && $INSTALLED/changed"},
       {"same_tool", program("same", ""), program("same", ""), "cat b && $INSTALLED/same"},
       {"user", text, text, "$REPO/build_of_user"}});
  const fs::path user = fs::path(std::getenv("REPO")) / "build_of_user";
  test::write_file(user, script);
  fs::permissions(user, fs::perms::owner_all);
  const Plan plan = sides.trace();
  std::vector<std::string> refused;
  for (const PlannedWorkload& one : plan.workloads) {
    if (!one.head_failed.empty()) {
      refused.push_back(one.workload.name);
    }
  }
  EXPECT_EQ(refused, (std::vector<std::string>{"src", "tool", "user"}));
  EXPECT_EQ(of_foreign_code(plan), refused);
  EXPECT_EQ(wrongly_same(plan), (std::vector<std::string>{"lib", "python", "same_tool"}));
}

TEST_F(TracedPrograms, DoubtsFilesOutsideThatOneSideReads) {
  const TemporaryFolder before;
  for (int i = 0; i < 256; ++i) {
    char name[3];
    std::snprintf(name, sizeof name, "%02x", i);
    test::write_file(before.path() / name, "1");
  }
  setenv("BEFORE", before.path().c_str(), 1);
  const std::string build = "git rev-parse HEAD > id; seq 99 >> id";
  SideBySide sides(
      {{"hashed",
        {{"build", build}},
        {{"build", build}},
        "cat $BEFORE/$(md5sum < id | cut -c 1-2)"},
       {"named", {{"build", build}}, {{"build", build}}, "cat $BESIDE/by/$(head -1 id)"},
       test::with_data("both", "cat $BEFORE/00 data")});
  const Plan oids = sides.trace();
  std::string list;
  for (const std::string& oid : {oids.base->oid, oids.head.oid}) {
    upgrade(sides.beside("by") / oid, "1");
    list += (sides.beside("by") / oid).string() + "\n";
  }
  test::write_file(sides.beside("lists") / "p.list", list);
  TraceTools tools{run_process()};
  tools.packages = std::make_shared<PackageFiles>(sides.beside("lists"));
  const Plan plan = sides.trace(tools);
  EXPECT_TRUE(contains(record_of(plan, "hashed"), "one side alone"));
  EXPECT_TRUE(contains(record_of(plan, "named"), "named after the commit"));
  EXPECT_EQ(record_of(plan, "both"), "same");
}

// tmpfs lists files by their creation; ext4 by a hash of their names.
TEST_F(TracedPrograms, ComparesTheOrderInFolders) {
  struct statfs found {};
  if (statfs("/dev/shm", &found) != 0 || found.f_type != 0x01021994) {
    GTEST_SKIP() << "no tmpfs";
  }
  const char* const usual = std::getenv("TMPDIR");
  const std::string saved = usual == nullptr ? "" : usual;
  setenv("TMPDIR", "/dev/shm", 1);
  const auto make = [](const std::string& one, const std::string& two) -> test::Entry {
    return "mkdir in; echo 1 > in/" + one + "; echo 1 > in/" + two;
  };
  SideBySide sides({{"other", {{"build", make("a", "b")}}, {{"build", make("b", "a")}}, "ls in"},
                    {"equal", {{"build", make("a", "b")}}, {{"build", make("a", "b")}}, "ls in"}});
  const Plan plan = sides.trace();
  usual == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", saved.c_str(), 1);
  EXPECT_EQ(record_of(plan, "other"), "other/in differs");
  EXPECT_EQ(record_of(plan, "equal"), "same");
}

TEST(TracePrograms, LeavesSettingsUntraced) {
  SideBySide sides({test::with_data("settings", "cat data")});
  Plan plan = sides.trace();
  EXPECT_EQ(record_of(plan, "settings"), "same");
  plan.workloads[0].trace_record.reset();
  plan.workloads[0].base_params = Params{};
  trace_programs(plan, sides.checkouts(), Policy(), {run_process()});
  EXPECT_EQ(record_of(plan, "settings"), "not traced");
}

constexpr const char* kListen =
    "import socket, sys\ns = socket.socket()\n"
    "s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)\n"
    "s.bind(('127.0.0.1', int(sys.argv[1])))\ns.listen(9)\n";
constexpr const char* kAsk =
    "import socket, sys\nsys.exit(not socket.create_connection(('127.0.0.1', "
    "int(sys.argv[1]))).recv(9))\n";

/// A workload of two programs, which differs in the file `d`.
Case served(const std::string& name, const std::string& server, const std::string& client,
            const std::string& at_head = "2") {
  const std::map<std::string, test::Entry> base{
      {"s.py", server}, {"c.py", client}, {"d", "1"}, {"doc.md", "one"}};
  std::map<std::string, test::Entry> head = base;
  head.insert_or_assign("d", at_head);
  head.insert_or_assign("doc.md", "two");
  Case one{name, base, head, "/usr/bin/python3 c.py {port}"};
  one.enters = true;
  one.serve = "exec /usr/bin/python3 s.py {port}";
  return one;
}

TEST_F(TracedPrograms, CountsWhatAServerReads) {
  const auto answer = [](const std::string& file) {
    return kListen + ("while True:\n  c, _ = s.accept()\n  try:\n    c.sendall(open('" + file +
                      "', 'rb').read())\n  except OSError:\n    pass\n  c.close()\n");
  };
  Case prepared = served("prepared", answer("made"), kAsk, "1");
  prepared.prepare = "cat d > made";
  // One at a time: a changed file counts for others that read one of its name.
  const auto record = [](const Case& one) {
    return record_of(SideBySide({one}).trace(), one.name);
  };
  EXPECT_EQ(record(served("same", answer("d"), kAsk, "1")), "same");
  EXPECT_EQ(record(served("changed", answer("d"), kAsk)), "changed/d: line 1");
  EXPECT_EQ(record(served("unread", answer("c.py"), kAsk)), "same");
  EXPECT_EQ(record(prepared), "same");
}

TEST_F(TracedPrograms, DoubtsServersWhoseInputsMayBeMissed) {
  const std::string overwrite = std::string(kListen) +
                                "while True:\n  c, _ = s.accept()\n  try:\n    if c.recv(1):\n"
                                "      open('d', 'w').write('0')\n      c.sendall(b'x')\n"
                                "  except OSError:\n    pass\n  c.close()\n";
  const std::string read_first =
      "import socket, sys\nopen('d').read()\n"
      "c = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\nc.sendall(b'x')\nc.recv(9)\n";
  const std::string other_port = std::string(kListen) +
                                 "o = socket.socket()\no.bind(('127.0.0.1', 0))\n"
                                 "while True: s.accept()[0].sendall(b'x')\n";
  const std::string stubborn = std::string("import signal\nsignal.signal(15, signal.SIG_IGN)\n") +
                               kListen + "while True: s.accept()[0].sendall(b'x')\n";
  SideBySide sides({served("overwritten", overwrite, read_first),
                    served("other", other_port, kAsk, "1"),
                    served("stubborn", stubborn, kAsk, "1")});
  const Plan plan = sides.trace();
  EXPECT_EQ(record_of(plan, "overwritten"), "overwritten/d was changed after the build");
  EXPECT_TRUE(contains(record_of(plan, "other"), "it communicates with another process"));
  EXPECT_TRUE(contains(record_of(plan, "stubborn"), "its server had to be killed"));
}

}  // namespace
}  // namespace perf
