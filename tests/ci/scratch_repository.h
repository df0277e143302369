#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/contains.h"

namespace perf::test {

/// How a command ended and what it said.
struct Outcome {
  int exit_code = -1;  ///< 128 + signal when a signal ended it, as a shell says
  std::string out, err;
};

/// A folder that is gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Words, and more behind them.
std::vector<std::string> with_more(std::vector<std::string> words,
                                   const std::vector<std::string>& more);

/// Whether a command ended with this exit code and printed all these parts, on either stream.
testing::AssertionResult ended(const Outcome& outcome, int exit_code,
                               const std::vector<std::string>& says = {});

/// What a command printed, which must be JSON; fails the test for another exit code.
nlohmann::json json_of(const Outcome& outcome, int exit_code);

/// A git repository that is not ours, made for one test, with perf-compare's cache and store beside
/// it. No setting of the user's git reaches it.
class ScratchRepository {
 public:
  ScratchRepository();

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path cache() const { return folder_.path() / "cache"; }

  /// Writes a file (its folders too); `executable` sets the mode.
  void write(const std::string& name, const std::string& text, bool executable = false);
  /// Commits everything; returns the full oid. Dates are fixed, one day apart.
  std::string commit(const std::string& subject);
  /// Runs git in the repository and returns its output without the last newline; fails the test
  /// if git does.
  std::string git(const std::vector<std::string>& arguments);

  /// What perf-compare prints as JSON, having ended with this exit code.
  nlohmann::json json(const std::vector<std::string>& arguments, int exit_code = 0) const {
    return json_of(perf_compare(with_more(arguments, {"--json", "-"})), exit_code);
  }

  /// Runs the real perf-compare in the repository, with `environment` on top of a clean one.
  Outcome perf_compare(const std::vector<std::string>& arguments,
                       const std::map<std::string, std::string>& environment = {}) const;

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
  int commits_ = 0;
};

/// Runs a command to its end. `kill_after_line`: once standard error or output contains that text,
/// `signal` is sent.
Outcome run(const std::vector<std::string>& command, const std::filesystem::path& directory,
            const std::map<std::string, std::string>& environment = {},
            const std::string& kill_after_text = {}, int signal = 0);

/// Fails the test where a run's output does not contain a text.
void expect_says(const std::string& output, const std::string& words);

/// A command, its exit code, and words that it prints on either stream.
struct CommandCase {
  std::vector<std::string> arguments;
  int exit_code = 0;
  std::vector<std::string> says{};
};

/// Fails the test for every command that ends otherwise; a usage error prints nothing to standard
/// output.
void expect_outcomes(const std::vector<CommandCase>& cases,
                     const std::function<Outcome(const std::vector<std::string>&)>& command);

/// Where what a program opens cannot be seen, as in a container without ptrace.
bool nothing_can_be_traced();

/// Skips the test there.
#define NEEDS_TRACING()                      \
  if (::perf::test::nothing_can_be_traced()) \
  GTEST_SKIP() << "nothing can be traced here"

/// A PATH with the system's programs before those of version managers, whose scripts take ten times
/// longer than what they start.
std::string path_to_programs();

/// A PATH of this folder, which gets all the system's programs but for strace.
std::string path_without_strace(const TemporaryFolder& folder);

}  // namespace perf::test
