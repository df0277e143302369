#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/ci/scratch_repository.h"
#include "tests/faults/hostile_strings.h"

namespace perf::test {

/// A command line for the real program, with what goes with it.
struct HostileCommand {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> variables{};
  std::vector<std::filesystem::path> outputs{};  ///< named in it, so they may be written
};

/// A config with the workload `w`; `params`: a JSON object.
std::string hostile_config(const std::string& witness, const std::string& params);

/// A repository with hostile names of refs, and home, cache and temporary files beside it; every
/// file is watched. Commands run in a folder deep in the repository.
class HostileWorld {
 public:
  /// `witness`: the program that is the workload.
  HostileWorld(std::uint64_t seed, const std::string& witness);

  /// The next command; the kinds of places for a string take turns.
  HostileCommand next();

  /// Runs the program; `wrapper` (strace) goes in front.
  Outcome run_command(const HostileCommand& command, std::vector<std::string> wrapper = {}) const;

  /// The state of every path except the store, the cache and git's objects.
  std::map<std::string, std::string> look() const;
  /// Paths that changed since the last call and are not outputs of the command. Its outputs are
  /// removed.
  std::vector<std::string> unexpected(const std::map<std::string, std::string>& before,
                                      const HostileCommand& command) const;

  const std::filesystem::path& root() const { return root_; }
  int hostile_refs() const { return hostile_refs_; }

 private:
  void make_hostile_refs();
  void make_hostile_commits();
  HostileCommand with_revision();
  HostileCommand with_path();
  HostileCommand with_file();
  HostileCommand with_variables();
  HostileCommand with_names();
  HostileCommand measured();
  std::filesystem::path write(const std::string& name, const std::string& text) const;

  ScratchRepository repository_;
  HostileStrings strings_;
  std::filesystem::path root_, here_, given_;
  std::string witness_;
  std::vector<std::string> names_;  ///< of references that are there
  int hostile_refs_ = 0;
  std::size_t count_ = 0;
};

}  // namespace perf::test
