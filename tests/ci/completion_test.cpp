// Completion in the real shells, and the manual page through real readers of it.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "tests/ci/scratch_repository.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

/// Whether a program is in PATH.
bool is_here(const std::string& program) {
  return run({"sh", "-c", "command -v " + program}, "/").exit_code == 0;
}

/// A repository whose names would like to be run.
struct Completed : ScratchRepository {
  Completed() {
    write("report.json", "{}");
    write("folder one/file", "");
    commit("Begin");
    for (const char* branch :
         {"topic/fine", "x$(touch${IFS}pwned)", "y;touch${IFS}pwned", "z`touch${IFS}pwned`"}) {
      git({"branch", branch});
    }
    git({"tag", "v1.2"});
  }
  ~Completed() { EXPECT_FALSE(fs::exists(path() / "pwned")) << "a name was run"; }

  /// Writes the script of a shell to a file of that name beside the repository.
  std::string script(const std::string& shell, const std::string& name) {
    const Outcome outcome = perf_compare({"--completion", shell});
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    const fs::path folder = path().parent_path() / "scripts";
    fs::create_directories(folder);
    std::ofstream(folder / name, std::ios::binary) << outcome.out;
    return (folder / name).string();
  }
};

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.insert(line);
  }
  return lines;
}

using Completions = std::set<std::string>;

TEST(Completion, WorksInBash) {
  Completed repository;
  const std::string script = repository.script("bash", "perf-compare.bash");
  // The words as bash splits them: `=` is a word of its own.
  const auto complete = [&](const std::vector<std::string>& words) {
    const Outcome outcome = run(
        with_more(
            {"bash", "--norc", "-c",
             "source \"$1\"; shift; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _perf_compare; "
             "printf '%s\\n' \"${COMPREPLY[@]}\"",
             "bash", script, "perf-compare"},
            words),
        repository.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    const Completions lines = lines_of(outcome.out);
    EXPECT_EQ(static_cast<std::size_t>(std::count(outcome.out.begin(), outcome.out.end(), '\n')),
              lines.size())
        << "a word is offered twice:\n"
        << outcome.out;
    return lines;
  };
  EXPECT_GT(complete({"-"}).size(), 10u);
  EXPECT_EQ(complete({"--hel"}), Completions{"--help"});
  EXPECT_EQ(complete({"trend", "--hel"}), Completions{"--help"});
  EXPECT_EQ(complete({"tre"}), Completions{"trend"});
  EXPECT_EQ(complete({"-C", ".", "--size", "smoke", "tre"}), Completions{"trend"});
  EXPECT_EQ(complete({"v"}), Completions{"v1.2"});
  EXPECT_EQ(complete({"v1.2", "mai"}), Completions{"main"});
  EXPECT_EQ(complete({"collect", "v1.2..top"}), Completions{"v1.2..topic/fine"});
  EXPECT_EQ(complete({"--size", ""}), (Completions{"smoke", "ci", "full"}));
  EXPECT_EQ(complete({"trend", "--fail-on", "=", "n"}), Completions{"new"});
  EXPECT_EQ(complete({"trend", "--fail-on", "="}), (Completions{"confirmed", "event", "new"}));
  EXPECT_EQ(complete({"selftest", "--thr"}), Completions{"--threshold"});
  EXPECT_EQ(complete({"alert", ""}), (Completions{"ack", "fixed", "ignore"}));
  EXPECT_EQ(complete({"import", "hyp"}), Completions{"hyperfine"});
  EXPECT_EQ(complete({"import", "go", "rep"}), Completions{"report.json"});
  EXPECT_EQ(complete({"-C", "fold"}), Completions{"folder one"});
  EXPECT_EQ(complete({"--completion", "z"}), Completions{"zsh"});
  EXPECT_EQ(complete({"pin", "mai"}), Completions{""}) << "a new name is nothing to complete";
  EXPECT_EQ(complete({"pin", "release", "mai"}), Completions{"main"});
  EXPECT_EQ(complete({"-C", "/nowhere", "compare", "mai"}), Completions{""});
  // What readline inserts, the shell reads back as the one name and runs nothing.
  for (const char* first : {"x", "y", "z"}) {
    const Completions words = complete({"compare", first});
    ASSERT_EQ(words.size(), 1u);
    const Outcome echoed = run({"bash", "-c", "printf %s " + *words.begin()}, repository.path());
    EXPECT_EQ(echoed.out.substr(0, 1), first);
    EXPECT_TRUE(contains(echoed.out, "touch${IFS}pwned"));
  }
}

TEST(Completion, WorksInFish) {
  if (!is_here("fish")) {
    GTEST_SKIP() << "no fish here: ci/install_deps.sh --test installs it";
  }
  Completed repository;
  const std::string script = repository.script("fish", "perf-compare.fish");
  const auto complete = [&](const std::string& line) {
    const Outcome outcome = run({"fish", "--no-config", "-c",
                                 "source $argv[1]; complete -C \"perf-compare $argv[2]\" | "
                                 "string replace -r '\\t.*' ''",
                                 script, line},
                                repository.path());
    EXPECT_EQ(outcome.err, "");
    return lines_of(outcome.out);
  };
  EXPECT_EQ(complete("tre"), Completions{"trend"});
  EXPECT_EQ(complete("-C . --size smoke tre"), Completions{"trend"});
  EXPECT_EQ(complete("v"), Completions{"v1.2"});
  EXPECT_EQ(complete("v1.2 mai"), Completions{"main"});
  EXPECT_EQ(complete("collect v1.2..top"), Completions{"v1.2..topic/fine"});
  EXPECT_EQ(complete("--size "), (Completions{"smoke", "ci", "full"}));
  EXPECT_EQ(complete("trend --fail-on=n"), Completions{"--fail-on=new"});
  EXPECT_EQ(complete("selftest --thr"), Completions{"--threshold"});
  EXPECT_EQ(complete("import hyp"), Completions{"hyperfine"});
  EXPECT_EQ(complete("import go rep"), Completions{"report.json"});
  EXPECT_EQ(complete("-C fold"), Completions{"folder one/"});
  EXPECT_EQ(complete("--completion z"), Completions{"zsh"});
  EXPECT_EQ(complete("pin mai"), Completions{});
  EXPECT_EQ(complete("pin release mai"), Completions{"main"});
  EXPECT_EQ(complete("compare x"), Completions{"x$(touch${IFS}pwned)"});
}

TEST(Completion, WorksInZsh) {
  if (!is_here("zsh")) {
    GTEST_SKIP() << "no zsh here: ci/install_deps.sh --test installs it";
  }
  Completed repository;
  const std::string functions =
      fs::path(repository.script("zsh", "_perf-compare")).parent_path().string();
  const auto complete = [&](const std::string& line) {
    const Outcome outcome = run({"zsh", "-f", PERF_SOURCE_DIR "/tests/ci/complete_in_zsh.zsh",
                                 functions, "perf-compare " + line},
                                repository.path());
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(complete("tre"), "perf-compare trend \n");
  EXPECT_EQ(complete("-C . --size smoke tre"), "perf-compare -C . --size smoke trend \n");
  EXPECT_EQ(complete("v"), "perf-compare v1.2 \n");
  EXPECT_EQ(complete("v1.2 mai"), "perf-compare v1.2 main \n");
  EXPECT_EQ(complete("collect v1.2..top"), "perf-compare collect v1.2..topic/fine \n");
  EXPECT_EQ(complete("trend --fail-on=n"), "perf-compare trend --fail-on=new \n");
  EXPECT_EQ(complete("import hyp"), "perf-compare import hyperfine \n");
  EXPECT_EQ(complete("import go rep"), "perf-compare import go report.json \n");
  EXPECT_EQ(complete("-C fold"), "perf-compare -C folder\\ one/\n");
  EXPECT_EQ(complete("--completion z"), "perf-compare --completion zsh \n");
  EXPECT_EQ(complete("pin release mai"), "perf-compare pin release main \n");
  EXPECT_EQ(complete("compare x"), "perf-compare compare x\\$\\(touch\\$\\{IFS\\}pwned\\) \n");
}

/// The name of each command stands alone on a line of the help's groups, or behind `perf-compare`.
TEST(ManualPage, ReadsWithoutAWarningAndHasEveryCommand) {
  ScratchRepository repository;
  const Outcome page = repository.perf_compare({"--man"});
  ASSERT_EQ(page.exit_code, 0) << page.err;
  repository.write("perf-compare.1", page.out);
  const Outcome help = repository.perf_compare({"--help"});
  for (const char* command : {"init", "compare", "selftest", "collect", "trend", "bisect", "judge",
                              "pin", "import", "merge", "prune", "doctor", "calibrate"}) {
    EXPECT_TRUE(contains(page.out, std::string("\n.SS ") + command + "\n")) << command;
  }
  bool any = false;
  if (is_here("mandoc")) {
    EXPECT_TRUE(
        ended(run({"mandoc", "-Tlint", "-W", "warning", "perf-compare.1"}, repository.path()), 0));
    any = true;
  }
  if (is_here("groff")) {
    const Outcome groff = run({"groff", "-man", "-ww", "-z", "perf-compare.1"}, repository.path());
    EXPECT_EQ(groff.exit_code, 0);
    EXPECT_EQ(groff.err, "");
    any = true;
  }
  if (!any) {
    GTEST_SKIP() << "neither mandoc nor groff is here: ci/install_deps.sh --test installs mandoc";
  }
}

TEST(ManualPage, StandsAloneOnTheCommandLine) {
  ScratchRepository repository;
  EXPECT_EQ(repository.perf_compare({"--man", "HEAD"}).exit_code, 2);
  EXPECT_EQ(repository.perf_compare({"--completion", "tcsh"}).exit_code, 2);
  EXPECT_EQ(repository.perf_compare({"--completion"}).exit_code, 2);
  EXPECT_EQ(repository.perf_compare({"--completion=fish"}).exit_code, 0);
}

}  // namespace
}  // namespace perf::test
