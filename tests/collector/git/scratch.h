#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "collector/git/baseline.h"
#include "collector/process/process.h"
#include "collector/process/temporary_folder.h"
#include "schema/error.h"

namespace perf::test {

/// Runs processes for a test. No setting of the user's git reaches them, nor libgit2.
const RunProcess& run_process();

/// Runs git in a folder, as one author with fixed dates, and gives its standard output without the
/// last line end. Throws std::runtime_error where git fails.
std::string git(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

void write_file(const std::filesystem::path& file, const std::string& text);
/// A variable source that a test scripts.
GetVariable variables(std::map<std::string, std::string> values);

/// The error that a call throws; fails the test, and gives an empty one, where it throws none.
Error error_of(const std::function<void()>& call);
/// The same, and the error must be a UsageError (exit code 2).
Error usage_error_of(const std::function<void()>& call);

/// A repository in a folder of its own, with `main` checked out and no commit yet.
class Scratch {
 public:
  Scratch();
  const std::filesystem::path& path() const { return path_; }
  /// A path beside the repository, for clones, worktrees and caches.
  std::filesystem::path beside(const std::string& name) const { return folder_.path() / name; }

  std::string git(const std::vector<std::string>& arguments) const;
  void write(const std::string& name, const std::string& text) const;
  /// Writes a file of that name, commits everything, gives the commit's id. Each is a day after the
  /// one before.
  std::string commit(const std::string& name, const std::string& text);
  std::string commit_all(const std::string& subject);

 private:
  TemporaryFolder folder_;
  std::filesystem::path path_;
  int commits_ = 0;
};

}  // namespace perf::test
