#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "collector/checkout.h"
#include "collector/process/process.h"
#include "collector/trace/trace.h"
#include "schema/invocation.h"
#include "schema/workload.h"

namespace perf {

/// One side of a workload, record at: an ordinary invocation, traced.
struct TracedRun {
  Trace trace;
  Invocation invocation;   ///< its values are no samples, its checks and the names of metrics count
  std::int64_t began = 0;  ///< ns since the epoch
};

/// Runs a workload once under strace in a checkout, as `wish` says (side, oid, steps, warmup,
/// seed), and keeps the look beside the build; or takes that of before, made with the same
/// workload, parameters, variables, steps and seed, where it `still_holds`. A failed invocation is
/// not kept.
TracedRun run_traced(const Workload& workload, const Checkout& checkout, Invocation wish,
                     const RunProcess& run_process,
                     const std::function<bool(const TracedRun&)>& still_holds = {});

/// The plan's seed of the runs that are kept beside a build; none where there are none.
std::optional<std::uint64_t> traced_with_seed(const Checkout& checkout);

/// Remembers it.
void remember_seed(const Checkout& checkout, std::uint64_t seed);

}  // namespace perf
