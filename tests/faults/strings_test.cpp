// Strings from a fuzzer, given to the real program in every place that takes one: it starts no
// shell, passes no option on, writes nothing but the store, the cache and what it was told to
// write, and what it says is text.

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "schema/files/content.h"
#include "tests/faults/effort.h"
#include "tests/faults/hostile_world.h"

namespace perf::test {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestOutput = 1 << 20;  // B

std::string words_of(const HostileCommand& command) {
  std::string words;
  for (const std::string& argument : command.arguments) {
    words += " " + in_json(argument);
  }
  for (const auto& [name, value] : command.variables) {
    words += "\n  " + name + "=" + in_json(value);
  }
  return words;
}

TEST(Strings, AreShownAsText) {
  HostileWorld world(2026, FAULTS_WITNESS);
  const int commands = tries(80, 2400);
  std::map<int, int> codes;
  std::map<std::string, std::string> before = world.look();
  for (int i = 0; i < commands && !HasFailure(); ++i) {
    const HostileCommand command = world.next();
    const Outcome outcome = world.run_command(command);
    ++codes[outcome.exit_code];
    EXPECT_TRUE(outcome.exit_code >= 0 && outcome.exit_code <= 4)
        << outcome.exit_code << outcome.err << words_of(command);
    EXPECT_TRUE(is_printable(outcome.out)) << words_of(command) << "\n" << in_json(outcome.out);
    EXPECT_TRUE(is_printable(outcome.err)) << words_of(command) << "\n" << in_json(outcome.err);
    EXPECT_LT(outcome.out.size() + outcome.err.size(), kLongestOutput) << words_of(command);
    EXPECT_EQ(world.unexpected(before, command), std::vector<std::string>{}) << words_of(command);
    before = world.look();
  }
  std::string ended;
  for (const auto& [code, times] : codes) {
    ended += (ended.empty() ? "" : ", ") + std::to_string(times) + " with " + std::to_string(code);
  }
  EXPECT_GT(codes[0], 0);
  EXPECT_GT(codes[2], 0);
  EXPECT_GT(world.hostile_refs(), 15);
  figure("strings", std::to_string(commands) + " commands of the real program: " + ended);
}

/// strace's lines of what was started: `execve("/usr/bin/git", ["git", "-c", ...`.
std::vector<std::string> started(const fs::path& log) {
  std::vector<std::string> lines;
  std::istringstream text(content_of(log));
  for (std::string line; std::getline(text, line);) {
    if (line.find("execve(") != std::string::npos && line.find(") = 0") != std::string::npos) {
      lines.push_back(line.substr(line.find("execve(")));
    }
  }
  return lines;
}

TEST(Strings, StartOnlyGitAndTheWorkload) {
  HostileWorld world(2027, FAULTS_WITNESS);
  const fs::path log = world.root() / "given" / "strace";
  const std::vector<std::string> strace{"strace", "-f",           "-qq", "-s", "4096",
                                        "-e",     "trace=execve", "-o",  log};
  if (world.run_command({{"--version"}}, strace).exit_code != 0) {
    GTEST_SKIP() << "strace may not trace here (ptrace); the test before this one looks at files";
  }
  // Every word of git's is one of these, an object id, or a path of our own making.
  const std::regex git_words(
      R"re(execve\("[^"]*/git", \["git"(, "(-c|core\.hooksPath=/dev/null|core\.fsmonitor=false|core\.quotePath=true|core\.safecrlf=false|core\.splitIndex=false|core\.sparseCheckout=false|init\.defaultBranch=main|submodule\.recurse=false|advice\.detachedHead=false|diff\.autoRefreshIndex=true|init|--quiet|--template=|--object-format=sha1|checkout|--detach|--force|diff|--name-only|--no-ext-diff|--ignore-submodules=[a-z]+|--no-renames|HEAD|status|--porcelain=v2|--untracked-files=[a-z]+|config|--get|--get-regexp|--show-scope|--list|--null|--includes|\^remote[^"]*|\^filter[^"]*|add|--all|--sparse|--|\.|:\(exclude,top,literal\)\.perf-compare|write-tree|--missing-ok|rev-parse|--git-dir|merge-base|rev-list|--first-parent|--reverse|--objects|--no-walk|--missing=print|ls-files|-v|update-index|-z|--stdin|--no-assume-unchanged|--no-skip-worktree|:\(attr:filter=lfs\)|filter\.lfs\.[a-z]+|\^?[0-9a-f]{40})")*\],.*)re");
  const std::regex others(
      R"re(execve\("[^"]*/(c\+\+|perf-compare|perf-supervisor|perf|objdump|true|faults_witness)", .*)re");
  const std::regex looking(
      R"re(execve\("[^"]*/strace", \["strace", ("-D", )?"-f", "--seccomp-bpf", .*"--", "(true|[^"]*/faults_witness)"[\],].*)re");
  int processes = 0;
  for (int i = 0; i < tries(12, 200) && !HasFailure(); ++i) {
    const HostileCommand command = world.next();
    world.run_command(command, strace);
    for (const std::string& line : started(log)) {
      ++processes;
      EXPECT_TRUE(std::regex_match(line, git_words) || std::regex_match(line, others) ||
                  std::regex_match(line, looking))
          << line << "\nby" << words_of(command);
    }
  }
  EXPECT_GT(processes, 12);
  figure("processes",
         std::to_string(processes) + " looked at: git, the workload, strace, c++ and perf");
}

/// Arguments of a workload reach it as the config has them, through no shell.
TEST(Strings, ReachAWorkloadUnchanged) {
  ScratchRepository repository;
  HostileStrings strings(2028);
  const fs::path seen = repository.path().parent_path() / "seen";
  for (int i = 0; i < tries(10, 100); ++i) {
    std::string first, second;
    do {
      first = strings.argument();
      second = strings.argument();
      // What a config may not hold; `{out}` has a meaning of its own.
    } while (!is_printable(first + second) || (first + second).find('{') != std::string::npos ||
             (first + second).find('\n') != std::string::npos);
    repository.write("perf-compare.json", "{\"workloads\": [{\"name\": \"w\", \"command\": [" +
                                              in_json(FAULTS_WITNESS) + ", " + in_json(first) +
                                              "], \"params\": {\"k\": " + in_json(second) + "}}]}");
    repository.commit("one");
    fs::remove(seen);
    const Outcome outcome =
        repository.perf_compare({"collect", "HEAD"}, {{"WITNESS_ARGUMENTS", seen}});
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const std::string nul(1, '\0');
    const std::string once = first + nul + "--k" + nul + second + nul;
    EXPECT_EQ(content_of(seen).substr(0, once.size()), once);
  }
}

}  // namespace
}  // namespace perf::test
