#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"

namespace perf::test {

/// A folder for repositories and their clones, with a home of its own.
class CloneWorld {
 public:
  CloneWorld();
  std::filesystem::path operator/(const std::string& name) const { return folder_.path() / name; }
  std::string url(const std::string& name) const { return "file://" + (*this / name).string(); }

  /// Runs a command there; `run` with this user's home, settings and cache.
  Outcome run(const std::vector<std::string>& command, const std::filesystem::path& directory,
              const std::map<std::string, std::string>& environment = {}) const;
  /// Runs git in a repository of this folder; the test fails if git does.
  std::string git(const std::string& repository, const std::vector<std::string>& arguments) const;
  void write(const std::string& file, const std::string& text, bool executable = false) const;
  /// Commits everything; commits are a day apart.
  void commit(const std::string& repository, const std::string& subject);

  /// A repository whose benchmark claims 100 ms in two commits and 130 ms in the next two.
  void make_subject(const std::string& name, const std::vector<std::string>& init = {});
  Outcome perf_compare(const std::filesystem::path& clone,
                       const std::vector<std::string>& arguments,
                       const std::map<std::string, std::string>& environment = {}) const;
  /// Runs a line of shell and, in the same shell, perf-compare.
  Outcome mended(const std::filesystem::path& clone, const std::string& line,
                 const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& environment = {}) const;

 private:
  TemporaryFolder folder_;
  int commits_ = 0;
};

/// The command in the hint of a message: in backticks, or beginning with "git". The test fails if
/// there is none.
std::string command_to_try(const std::string& message);

/// The text of a wrapped report on one line.
std::string unwrapped(const std::string& text);

}  // namespace perf::test
