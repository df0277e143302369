#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collector/checkout.h"
#include "collector/process/process.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// Why nothing can be traced on this machine; empty where it can. Tries it on true(1).
std::string why_no_trace(const RunProcess& run_process);

class PackageFiles;
struct Trace;
struct TracedTree;

/// The packages of this machine.
std::shared_ptr<const PackageFiles> installed_packages();

/// The hooks of tracing.
struct TraceTools {
  RunProcess run;
  std::function<void(const std::string&)> report{};  ///< shows a line of progress; may be empty
  std::function<bool()> interrupted{};               ///< true once a signal asked to stop
  bool may_take_seed = true;  ///< no seed was given: that of base's kept traces is used
  /// Why nothing can be traced, where that is known already.
  std::optional<std::string> no_trace{};
  std::shared_ptr<const PackageFiles> packages = installed_packages();
};

/// Traces both sides of each workload of a comparison before the first pair, and fills the plan's
/// trace records; returns the traced invocations. Where anything is left to measure, one in 20
/// workloads that run the same program, drawn by the seed, is audited. Workloads that are not
/// traced (settings, control arms, one side alone) are left unchanged. A failure is reported at
/// once, and its workload is measured.
std::vector<Invocation> trace_programs(Plan& plan, const Checkouts& checkouts, const Policy& policy,
                                       const TraceTools& tools);

/// One of two commands, and where it runs.
struct CommandSide {
  Workload workload;
  std::filesystem::path directory;  ///< without links
};

/// The program that a command executes, found as execvp(3) does; empty: none.
std::filesystem::path executable_of(const Workload& workload,
                                    const std::filesystem::path& directory);
/// Of its content, in hexadecimal; empty where it cannot be read.
std::string program_digest(const std::filesystem::path& program);

/// The folder or the file in which two commands differ: `v1` and `v2` of "v1/run data" and "v2/run
/// data". Empty: they are equal.
struct CommandRoots {
  std::filesystem::path base, head;
  std::string difference{};  ///< why they cannot be the same program, whatever these contain
};
CommandRoots roots_of(const CommandSide& base, const CommandSide& head);

/// Whether listing a folder would take long, as that of a home folder or of all files.
bool has_too_many_files(const std::filesystem::path& folder);

/// What stands for the checkout of a command; `entry`: a new folder for what is kept of it.
Checkout checkout_of_command(const std::filesystem::path& directory,
                             const std::filesystem::path& root, const std::filesystem::path& entry);

/// What a workload runs at one revision, traced by itself.
struct TracedProgram {
  /// Equal for revisions that run the same program on the same input, also where their checkouts
  /// are gone; empty: in doubt, never equal to another.
  std::string id{};
  std::string doubt{};                 ///< why the id is empty
  std::optional<Invocation> traced{};  ///< absent where it failed
  std::shared_ptr<const TracedTree> tree{};
  std::shared_ptr<const Trace> trace{};  ///< absent where nothing can be traced or it failed
};

/// How a revision is traced by itself. Revisions that are compared need one seed: it may choose
/// what is read.
struct TraceRequest {
  std::string oid;
  Side side = Side::head;
  std::uint64_t seed = 0;
  int steps = 0, warmup = 0;
};

/// Traces a workload of a build that can be measured; TraceTools::may_take_seed is not used.
TracedProgram trace_program(const Workload& workload, const Checkout& checkout,
                            const TraceRequest& how, const TraceTools& tools);

/// Whether the traced build still exists: the cache removes old ones.
bool is_at_hand(const TracedProgram& traced);

/// difference_of for two revisions of one workload: why they may not run the same program on the
/// same input; empty: they do. Both builds must be at hand.
std::string difference_between(const TracedProgram& base, const TracedProgram& head,
                               const Workload& workload);

/// Why two revisions cannot be compared, for PlannedWorkload::head_failed: both run code that does
/// not follow from their commits. Empty: they can be.
std::string common_code_between(const TracedProgram& base, const TracedProgram& head);

}  // namespace perf
