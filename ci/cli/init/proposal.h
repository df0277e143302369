#pragma once

#include <string>
#include <vector>

#include "ci/cli/init/source_tree.h"

namespace perf {

/// A workload that the config could have.
struct ProposedWorkload {
  std::string name;  ///< as found; the config makes a workload's name of it
  std::vector<std::string> command;
  std::string format;
  std::string comment;  ///< where it comes from, and what is left to do
};

/// What the workloads of a proposal are.
enum class Basis {
  benchmarks,  ///< or what somebody timed already
  program,     ///< one whole program, where there is no benchmark
  example      ///< a command that does nothing, where there is no program either
};

/// What a look at a repository gave.
struct Proposal {
  Basis basis = Basis::benchmarks;
  std::vector<std::string> found;  ///< sentences for people
  std::vector<std::string> build;  ///< lines of shell, each after the success of the one before
  std::vector<ProposedWorkload> workloads;
  std::vector<std::string> notes;  ///< what was seen and could not be used, or was left out
  /// Whole programs that could be timed where there is no benchmark.
  std::vector<ProposedWorkload> programs;
};

/// Each kind of project in a file of its own. They add what they find.
void look_for_cmake(const SourceTree& tree, Proposal& proposal);
void look_for_cargo(const SourceTree& tree, Proposal& proposal);
void look_for_go(const SourceTree& tree, Proposal& proposal);
void look_for_python(const SourceTree& tree, Proposal& proposal);
/// Takes make for the build only where nothing else builds.
void look_for_make(const SourceTree& tree, Proposal& proposal);
/// Commands that hyperfine times in scripts, recipes and CI jobs.
void look_for_hyperfine(const SourceTree& tree, Proposal& proposal);

/// All of the above. There is a workload at the end, an example where nothing was found.
Proposal look_at(const SourceTree& tree);

}  // namespace perf
