#include "tests/faults/clones.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/ci/claimed_benchmark.h"

namespace perf::test {

namespace fs = std::filesystem;

CloneWorld::CloneWorld() {
  fs::create_directory(*this / "home");
  write(
      "home/gitconfig",
      "[user]\n\tname = Somebody\n\temail = somebody@example.com\n[init]\n\tdefaultBranch = main\n"
      "[advice]\n\tdetachedHead = false\n");
}

Outcome CloneWorld::run(const std::vector<std::string>& command, const fs::path& directory,
                        const std::map<std::string, std::string>& environment) const {
  std::map<std::string, std::string> all{
      {"HOME", (*this / "home").string()},
      {"XDG_CACHE_HOME", (*this / "home/cache").string()},
      {"GIT_CONFIG_GLOBAL", (*this / "home/gitconfig").string()}};
  for (const auto& [name, value] : environment) {
    all[name] = value;
  }
  return test::run(command, directory, all);
}

std::string CloneWorld::git(const std::string& repository,
                            const std::vector<std::string>& arguments) const {
  Outcome outcome = run(with_more({"git"}, arguments), *this / repository);
  EXPECT_EQ(outcome.exit_code, 0) << arguments.front() << ": " << outcome.err;
  return outcome.out.substr(0, outcome.out.find_last_not_of('\n') + 1);
}

void CloneWorld::write(const std::string& file, const std::string& text, bool executable) const {
  fs::create_directories((*this / file).parent_path());
  std::ofstream(*this / file, std::ios::binary) << text;
  if (executable) {
    fs::permissions(*this / file, fs::perms::owner_exec, fs::perm_options::add);
  }
}

void CloneWorld::commit(const std::string& repository, const std::string& subject) {
  const std::string date = std::to_string(1700000000 + 86400 * ++commits_) + " +0000";
  git(repository, {"add", "-A"});
  const Outcome outcome = run({"git", "commit", "-q", "-m", subject}, *this / repository,
                              {{"GIT_AUTHOR_DATE", date}, {"GIT_COMMITTER_DATE", date}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
}

void CloneWorld::make_subject(const std::string& name, const std::vector<std::string>& init) {
  git(".", with_more({"init", "-q", name}, init));
  git(name, {"config", "uploadpack.allowFilter", "true"});
  git(name, {"config", "uploadpack.allowAnySHA1InWant", "true"});
  write(name + "/perf-compare.json", kClaimedConfig);
  write(name + "/bench", kClaimedBenchmark, true);
  int number = 0;
  for (const char* work : {"100", "100", "130", "130"}) {
    write(name + "/work", work);
    write(name + "/deep/down/file", std::to_string(++number));
    commit(name, "Commit " + std::to_string(number));
  }
}

Outcome CloneWorld::perf_compare(const fs::path& clone, const std::vector<std::string>& arguments,
                                 const std::map<std::string, std::string>& environment) const {
  return run(with_more({PERF_BINARY_DIR "/bin/perf-compare"}, arguments), clone, environment);
}

Outcome CloneWorld::mended(const fs::path& clone, const std::string& line,
                           const std::vector<std::string>& arguments,
                           const std::map<std::string, std::string>& environment) const {
  return run(with_more({"sh", "-c", "set -e\n" + line + " >&2\nexec \"$@\"", "sh",
                        PERF_BINARY_DIR "/bin/perf-compare"},
                       arguments),
             clone, environment);
}

std::string command_to_try(const std::string& message) {
  const std::size_t begin = message.find("hint: ");
  EXPECT_NE(begin, std::string::npos) << message;
  if (begin == std::string::npos) {
    return "false";
  }
  const std::string line = message.substr(begin, message.find('\n', begin) - begin);
  for (std::size_t quote = line.find('`'); quote != std::string::npos;
       quote = line.find('`', line.find('`', quote + 1) + 1)) {
    if (line.compare(quote + 1, 9, "git fetch") == 0) {
      return line.substr(quote + 1, line.find('`', quote + 1) - quote - 1);
    }
  }
  const std::size_t command = line.find(": git ");
  EXPECT_NE(command, std::string::npos) << message;
  return command == std::string::npos ? "false" : line.substr(command + 2);
}

std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    line += (line.empty() ? "" : " ") + word;
  }
  return line;
}

}  // namespace perf::test
