#include "tests/collector/git/scratch.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "collector/process/spawner.h"

namespace perf::test {
namespace {

/// The user's configuration is out of reach of every git, and of libgit2, before the first one.
struct Isolation {
  Isolation() {
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    setenv("GIT_CONFIG_SYSTEM", "/dev/null", 1);
    setenv("HOME", home.path().c_str(), 1);
    unsetenv("XDG_CONFIG_HOME");
  }
  TemporaryFolder home;
  Spawner spawner;
  RunProcess run = make_run_process(spawner);
};

std::string run_git(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                    const std::string& date) {
  ProcessRequest request;
  request.command = {"git",
                     "-c",
                     "user.name=Ada",
                     "-c",
                     "user.email=ada@example.com",
                     "-c",
                     "protocol.file.allow=always"};
  request.command.insert(request.command.end(), arguments.begin(), arguments.end());
  request.directory = folder;
  request.environment = {{"GIT_AUTHOR_DATE", date}, {"GIT_COMMITTER_DATE", date}};
  request.stdout_limit = 1 << 20;
  const ProcessResult result = run_process()(request);
  if (result.exit_code != 0) {
    throw std::runtime_error("git " + arguments.front() + ": " + result.spawn_error +
                             result.stderr_text);
  }
  std::string text = result.stdout_text;
  if (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return text;
}

}  // namespace

const RunProcess& run_process() {
  static const Isolation isolation;
  return isolation.run;
}

std::string git(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
  return run_git(folder, arguments, "1700000000 +0000");
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

GetVariable variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto entry = values.find(name);
    return entry == values.end() ? std::nullopt : std::optional<std::string>(entry->second);
  };
}

Error error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error("", "");
}

Error usage_error_of(const std::function<void()>& call) {
  return error_of([&] {
    try {
      call();
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      ADD_FAILURE() << "no UsageError: " << error.what << ": " << error.subject;
      throw;
    }
  });
}

Scratch::Scratch() : path_(folder_.path() / "repository") {
  run_process();  // before the first git
  std::filesystem::create_directory(path_);
  git({"init", "--quiet", "--initial-branch=main"});
}

std::string Scratch::git(const std::vector<std::string>& arguments) const {
  return run_git(path_, arguments, std::to_string(1700000000 + 86400 * commits_) + " +0000");
}

void Scratch::write(const std::string& name, const std::string& text) const {
  write_file(path_ / name, text);
}

std::string Scratch::commit(const std::string& name, const std::string& text) {
  write(name, text);
  return commit_all("Write " + name);
}

std::string Scratch::commit_all(const std::string& subject) {
  ++commits_;
  git({"add", "--all"});
  git({"-c", "maintenance.auto=false", "commit", "--quiet", "--allow-empty", "-m", subject});
  return git({"rev-parse", "HEAD"});
}

}  // namespace perf::test
