#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collector/checkout.h"
#include "collector/process/process.h"
#include "collector/trace/program.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"

namespace perf {

/// The hands that looking needs.
struct TraceTools {
  RunProcess run;
  std::function<void(const std::string&)> say{};  ///< a line for whoever waits; may be empty
  std::function<bool()> interrupted{};            ///< true once a signal asked to stop
  bool may_take_seed = true;  ///< nobody named one: that of the runs that base has will do
  std::optional<std::string>
      no_trace{};  ///< why nothing can be traced, where that was tried before
  std::shared_ptr<const PackageFiles> packages = std::make_shared<PackageFiles>();
};

/// Looks at what both sides of each workload of a comparison run, before any pair, and says in the
/// plan what came of it; the answer is the looking invocations, for the history. Where anything is
/// left to measure, one in 20 of what is the same, by the seed, is audited. A workload that cannot
/// be record at (settings, control arms, one side alone) is left as it is. What fails is said at
/// once, and is measured.
std::vector<Invocation> trace_programs(Plan& plan, const Checkouts& checkouts, const Policy& policy,
                                       const TraceTools& tools);

/// What a workload runs at one revision, record at by itself.
struct TracedProgram {
  /// Equal for revisions that run the same program on the same input, also where nobody has their
  /// checkouts any more; empty: in doubt, which is equal to nothing.
  std::string id{};
  std::string doubt{};                  ///< why the id is empty
  std::optional<Invocation> traced{};  ///< for the history; absent where it failed
  std::shared_ptr<const TracedTree> tree{};
  std::shared_ptr<const Trace> trace{};  ///< absent: nothing can be traced, or it failed
};

/// How a revision is record at by itself. Where programs are to be compared, the seed is one for
/// all of them: it may choose what is read.
struct TraceRequest {
  std::string oid;
  Side side = Side::head;
  std::uint64_t seed = 0;
  int steps = 0, warmup = 0;
};

/// Looks at a workload of a build that can be measured; TraceTools::may_take_seed is not asked.
TracedProgram trace_program(const Workload& workload, const Checkout& checkout,
                            const TraceRequest& how, const TraceTools& tools);

/// Whether the build that was record at is there still: a cache keeps so many.
bool is_at_hand(const TracedProgram& seen);

/// As difference_of has it, of the same workload: why the two are not known to run the same program
/// on the same input; empty: they do. Wants both builds at hand.
std::string difference_between(const TracedProgram& base, const TracedProgram& head,
                               const Workload& workload);

}  // namespace perf
