#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "collector/trace/built_tree.h"
#include "collector/trace/canonical.h"
#include "collector/trace/package_files.h"
#include "collector/trace/trace.h"

namespace perf {

// What a workload runs: every path that its processes asked for below the checkout, with what is
// there. docs/same-program.md says it for people, and why.

/// A checkout that was record at.
struct TracedTree {
  std::filesystem::path root;  ///< without links on the way
  OwnNames own;
  BuiltTree built;
  std::int64_t ended = 0;  ///< ns since the epoch: when its build was done
  std::shared_ptr<const PackageFiles> packages = std::make_shared<PackageFiles>();
};

/// Two sides of a workload: what they asked for, and where.
struct TracedSide {
  const TracedTree* tree = nullptr;
  const Trace* trace = nullptr;
};

/// Whether packages were changed since a look that began then (ns since the epoch): what it says
/// may hold no longer.
bool is_outdated(const TracedSide& side, std::int64_t began);

/// Stands for what a side runs: equal where all that was asked for is. `command` is the workload's
/// with its parameters.
std::string program_id(const TracedSide& side, const std::vector<std::string>& command);

/// Why both sides have to be measured: the first thing that one of them asked for and that is not
/// the same in both checkouts ("build/bench: .rodata"), or a reason to doubt that what was asked
/// for is all. Empty: both run the same program on the same input. `inputs`: globs of files below
/// the checkout that count as asked for.
std::string difference_of(const TracedSide& base, const TracedSide& head,
                          const std::vector<std::string>& inputs = {});

/// An id for who has the other side no longer: equal only where also the `inputs`, and all that may
/// take the place of what was asked for (trace/beside.h), are equal.
std::string lasting_program_id(const TracedSide& side, const std::vector<std::string>& command,
                               const std::vector<std::string>& inputs);

/// difference_of where nothing can be traced: by the files that the command names and the globs
/// alone.
std::string difference_of_inputs(const TracedTree& base, const TracedTree& head,
                                 const std::vector<std::string>& command,
                                 const std::vector<std::string>& inputs);

}  // namespace perf
