#include "tests/ci/scratch_repository.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>

namespace perf::test {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> clean_environment(const fs::path& home) {
  return {{"PATH", path_to_programs()},
          {"HOME", home.string()},
          {"XDG_CACHE_HOME", (home / "cache").string()},
          {"GIT_CONFIG_GLOBAL", "/dev/null"},
          {"GIT_CONFIG_SYSTEM", "/dev/null"},
          {"LC_ALL", "C.UTF-8"}};
}

[[noreturn]] void become(const std::vector<std::string>& command, const fs::path& directory,
                         const std::map<std::string, std::string>& environment, int out, int err) {
  std::signal(SIGINT, SIG_DFL);  // whoever began the test may have it ignored
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (chdir(directory.c_str()) != 0) {
    _exit(126);
  }
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  std::vector<std::string> lines;
  for (const auto& [name, value] : environment) {
    lines.push_back(name + "=" + value);
  }
  std::vector<char*> variables;
  for (std::string& line : lines) {
    variables.push_back(line.data());
  }
  variables.push_back(nullptr);
  execvpe(arguments[0], arguments.data(), variables.data());
  _exit(127);
}

/// Read from its file, which spares a process.
std::string oid_of_head(const fs::path& git_folder) {
  std::ifstream head(git_folder / "HEAD");
  std::string first, branch, oid;
  head >> first >> branch;
  if (first != "ref:") {
    return first;  // detached
  }
  std::ifstream(git_folder / branch) >> oid;
  EXPECT_FALSE(oid.empty()) << branch;
  return oid;
}

/// Reads what is there; false at the end of the stream.
bool drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return got > 0;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "perf-compare-test-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("mkdtemp failed");
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

Outcome run(const std::vector<std::string>& command, const fs::path& directory,
            const std::map<std::string, std::string>& environment,
            const std::string& kill_after_text, int signal) {
  std::array<int, 2> out, err;
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("pipe failed");
  }
  std::map<std::string, std::string> variables = clean_environment(directory.parent_path());
  for (const auto& [name, value] : environment) {
    variables[name] = value;
  }
  const pid_t child = fork();
  if (child == 0) {
    become(command, directory, variables, out[1], err[1]);
  }
  close(out[1]);
  close(err[1]);
  Outcome outcome;
  bool signalled = kill_after_text.empty();
  std::array<pollfd, 2> streams{{{out[0], POLLIN, 0}, {err[0], POLLIN, 0}}};
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    if (poll(streams.data(), streams.size(), -1) < 0) {
      continue;
    }
    if (streams[0].revents != 0 && !drain(streams[0].fd, outcome.out)) {
      streams[0].fd = -1;
    }
    if (streams[1].revents != 0 && !drain(streams[1].fd, outcome.err)) {
      streams[1].fd = -1;
    }
    if (!signalled && (outcome.out + outcome.err).find(kill_after_text) != std::string::npos) {
      signalled = true;
      kill(child, signal);
    }
  }
  close(out[0]);
  close(err[0]);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::vector<std::string> with_more(std::vector<std::string> words,
                                   const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

testing::AssertionResult ended(const Outcome& outcome, int exit_code,
                               const std::vector<std::string>& says) {
  if (outcome.exit_code != exit_code) {
    return testing::AssertionFailure()
           << "exit code " << outcome.exit_code << " for " << exit_code << ":\n"
           << outcome.out << outcome.err;
  }
  return contains_all(outcome.out + outcome.err, says);
}

nlohmann::json json_of(const Outcome& outcome, int exit_code) {
  EXPECT_TRUE(ended(outcome, exit_code));
  return nlohmann::json::parse(outcome.out);
}

void expect_says(const std::string& output, const std::string& words) {
  EXPECT_TRUE(contains(output, words));
}

void expect_outcomes(const std::vector<CommandCase>& cases,
                     const std::function<Outcome(const std::vector<std::string>&)>& command) {
  for (const CommandCase& one : cases) {
    std::string line;
    for (const std::string& argument : one.arguments) {
      line += " " + argument;
    }
    SCOPED_TRACE(line);
    const Outcome outcome = command(one.arguments);
    EXPECT_TRUE(ended(outcome, one.exit_code, one.says));
    if (one.exit_code == 2) {
      EXPECT_EQ(outcome.out, "");
    }
  }
}

bool nothing_can_be_traced() {
  return run({"strace", "-o", "/dev/null", "true"}, "/").exit_code != 0;
}

std::string path_to_programs() {
  const char* path = std::getenv("PATH");
  return "/usr/bin:/bin" + (path == nullptr ? std::string() : ":" + std::string(path));
}

std::string path_without_strace(const TemporaryFolder& folder) {
  for (const fs::directory_entry& program : fs::directory_iterator("/usr/bin")) {
    if (program.path().filename() != "strace") {
      fs::create_symlink(program.path(), folder.path() / program.path().filename());
    }
  }
  return folder.path().string();
}

ScratchRepository::ScratchRepository() : path_(folder_.path() / "repository") {
  fs::create_directories(path_);
  git({"init", "-q", "-b", "main"});
  // After each commit git would ask, with two processes more, whether there is much to tidy up.
  std::ofstream(path_ / ".git" / "config", std::ios::app)
      << "[user]\n\tname = Somebody\n\temail = somebody@example.com\n[maintenance]\n\tauto = "
         "false\n";
}

void ScratchRepository::write(const std::string& name, const std::string& text, bool executable) {
  const fs::path file = path_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
  if (executable) {
    fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
  }
}

std::string ScratchRepository::commit(const std::string& subject) {
  ++commits_;
  const std::string date = std::to_string(1700000000 + 86400 * commits_) + " +0000";
  git({"add", "-A"});
  const Outcome outcome = run({"git", "commit", "-q", "--allow-empty", "-m", subject}, path_,
                              {{"GIT_AUTHOR_DATE", date}, {"GIT_COMMITTER_DATE", date}});
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return oid_of_head(path_ / ".git");
}

std::string ScratchRepository::git(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"git"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Outcome outcome = run(command, path_);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  if (!outcome.out.empty() && outcome.out.back() == '\n') {
    outcome.out.pop_back();
  }
  return outcome.out;
}

Outcome ScratchRepository::perf_compare(
    const std::vector<std::string>& arguments,
    const std::map<std::string, std::string>& environment) const {
  std::vector<std::string> command{PERF_BINARY_DIR "/bin/perf-compare"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, path_, environment);
}

}  // namespace perf::test
