#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "reporter/text/sentences.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/report.h"

namespace perf::scripted {

/// A plan over these workloads, with a base unless told otherwise.
Plan plan_of(const std::vector<std::string>& workloads, bool with_base = true);

/// A block of timed steps behind one warm-up step of 100 s, which must never count.
Block block_of(const std::vector<double>& seconds, const std::string& name = "own/name");

/// An invocation that ended well: one block of these steps, and a peak memory of `rss` bytes.
Invocation invocation_of(const std::string& workload, Side side, int pair,
                         const std::vector<double>& seconds, std::int64_t rss = 1'000'000);

/// The same, failed for this reason.
Invocation failed_invocation(const std::string& workload, Side side, int pair, int attempt = 1,
                             const std::string& failure = "exit code 1");

/// Appends a pair whose invocations take this many seconds a step.
void add_pair(Measurements& measurements, const std::string& workload, int pair, double base,
              double head, std::int64_t base_rss = 1'000'000, std::int64_t head_rss = 1'000'000);

/// Appends pairs 0 .. count-1 with a small fixed pattern of noise around head = base * ratio.
void add_pairs(Measurements& measurements, const std::string& workload, int count, double ratio,
               double rss_ratio = 1);

/// The row of a metric; throws where there is none.
const Comparison& row_of(const Report& report, const std::string& workload,
                         const std::string& metric = "step_time");

/// Whether one of the warnings says this.
inline bool mentions(const std::vector<Warning>& warnings, const std::string& part) {
  return std::ranges::any_of(reporter::sentences(warnings), [&part](const std::string& sentence) {
    return sentence.find(part) != std::string::npos;
  });
}

}  // namespace perf::scripted
