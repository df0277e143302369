#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "collector/checkout.h"
#include "collector/process/process.h"
#include "collector/trace/built_tree.h"

namespace perf {

/// A key's folder in the build cache (build_cache.h). Internal to collector/build.
struct Entry {
  std::filesystem::path folder;
  std::filesystem::path tree() const { return folder / "tree"; }
  std::filesystem::path log() const { return folder / "build.log"; }
  std::filesystem::path clone() const { return folder / "clone"; }
  std::filesystem::path files() const { return folder / kBuiltFiles; }
  std::filesystem::path inputs() const { return folder / "inputs"; }
  std::filesystem::path copies() const { return folder / "copies"; }
  std::filesystem::path complete() const { return folder / "complete"; }
};

/// Puts a checkout back as the build of an entry left it: removes what was added, except what
/// Python compiled from a source as it is, and copies back what was changed. Returns the paths
/// below it for which there is no copy, or that cannot be replaced.
std::vector<std::string> put_back(const std::filesystem::path& tree, const Entry& of,
                                  const RunProcess& run);

/// Of what the build left, the files that are not so now and have no copy, except what Python
/// compiled.
std::set<std::string> changed_files(const Entry& of);

/// Copies files below a folder into another, with their folders, times and modes; false where that
/// fails.
bool copy_files(const std::filesystem::path& from, const std::filesystem::path& to,
                const std::vector<std::string>& files, const RunProcess& run);

/// A digest of what decides what a build makes beside the commit: the variables that compilers and
/// build tools read, and the tools that PATH leads to.
std::string toolchain_digest();

/// A digest of what decides what git writes into a checkout: the user's filters, and the programs
/// and files of attributes that they name.
std::string filters_digest(const RunProcess& run);

/// A build under strace(1), which shows what it reads outside its checkout.
class BuildTrace {
 public:
  explicit BuildTrace(const Entry& entry) : entry_(entry) {}

  /// Runs the build.
  ProcessResult run(ProcessRequest request, const RunProcess& run);
  /// Whether a build with this log may have failed only because it was traced: it traces programs
  /// itself, or runs one with another user's rights.
  bool may_not_be_traced(const std::filesystem::path& log) const;
  /// A file of a working tree that it opened, though the commit has that file; empty: none.
  std::string foreign_source(const Checkout& checkout, const std::set<std::string>& commit) const;
  /// The state of these files, for changed_input. `began`: of the build, ns since the epoch.
  std::string text(std::int64_t began) const;
  /// Of a build that could not be traced: its variables, by all files of the commit.
  std::string text_untraced(const std::vector<std::string>& command,
                            const std::set<std::string>& commit);

 private:
  void take(std::string_view line);
  /// The values of the variables that its scripts in the checkout name.
  std::string variables() const;

  const Entry& entry_;
  std::string command_{};
  std::set<std::string> files_{};   ///< that it opened, executed or installed, or tried to
  std::set<std::string> made_{};    ///< of these, those that it may have made
  std::set<std::string> listed_{};  ///< of these, folders that it may have listed
  std::set<std::string> asked_{};   ///< whether they are there, and of what kind and size
};

/// The first file that is no longer as a build read, found, missed or installed it, or $NAME of a
/// variable that its scripts name; empty: none.
std::string changed_input(std::string_view text);
/// Whether such a text is of a traced build.
bool is_of_trace(std::string_view text);

}  // namespace perf
