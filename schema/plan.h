#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/environment.h"
#include "schema/invocation.h"
#include "schema/revision.h"
#include "schema/shard.h"
#include "schema/text/words.h"
#include "schema/warning.h"
#include "schema/workload.h"

namespace perf {

/// What tracing a workload's programs, before any pair, found: see docs/same-program.md.
struct TraceRecord {
  /// Ids of what each side runs: equal where all their inputs are equal; empty where a side was not
  /// traced, or, of a collected commit, in doubt.
  std::string base_program{}, head_program{};
  /// Why it has to be measured: the first entry that differs ("build/bench: .rodata"), or the doubt
  /// ("strace is not installed"). Empty: both sides run the same program on the same input.
  std::string difference{};
  bool audited = false;           ///< the same, but measured: to check the traces
  bool needed_by_target = false;  ///< the same, but head is measured: a target has no value yet

  /// One side alone, as of a collected commit, is the same as nothing.
  bool same() const { return difference.empty() && base_program.empty() == head_program.empty(); }
  /// Empty: nothing is measured, but for an audit.
  std::string why_measured() const { return needed_by_target ? kNeededByTarget : difference; }

  static constexpr const char* kNeededByTarget = "a target needs its value";
  /// Measured all the same, because pairs of other comparisons contradict the traces.
  static constexpr const char* kPairsDiffer =
      "pairs differ, although its traced program is the same";
};

/// Files that a workload's processes looked for, did not find, and made: caches that its first pair
/// fills.
struct NewFiles {
  int count = 0;
  std::string first{};  ///< "$TRITON_CACHE_DIR/...", below the checkout, or absolute
};

/// How far a metric's pairs of earlier runs lay from the middle of their run: analyzer/rule/
/// earlier_noise.h.
struct EarlierNoise {
  std::string workload;  ///< as in Comparison
  Params params{};       ///< as in Comparison
  Metric metric{};
  int pairs = 0;                  ///< of earlier runs
  std::vector<double> largest{};  ///< a tenth of their distances, ln, the largest first
};

/// A workload of a plan, and on which sides it can be measured.
struct PlannedWorkload {
  Workload workload;         ///< with head's parameters
  std::string base_missing;  ///< why base cannot run it ("did not build"); empty when it can
  std::string head_failed;   ///< why head cannot run it; empty when it can
  std::optional<Params> base_params{};  ///< base's parameters, where two settings are compared
  std::optional<Workload> at_base{};    ///< as base runs it, where two commands are compared
  std::string control_of{};  ///< a control arm: base against base, beside the workload named here
  std::optional<TraceRecord> trace_record{};  ///< absent: not traced, so it is measured
  bool of_base = false;  ///< base's own config has it, too, so that base has to run it
  NewFiles new_files{};  ///< by its traces
  std::vector<EarlierNoise> earlier_noise{};  ///< of its judged metrics, where there is enough
};

/// Whether both sides run the same program on the same input.
inline bool runs_the_same(const PlannedWorkload& planned) {
  return planned.trace_record && planned.trace_record->same();
}

/// The workload as one side runs it.
inline Workload workload_at(const PlannedWorkload& planned, Side side) {
  Workload workload = side == Side::base && planned.at_base ? *planned.at_base : planned.workload;
  if (side == Side::base && planned.base_params) {
    workload.params = *planned.base_params;
  }
  return workload;
}

/// The purpose of a run. Planted changes and deliberate repetitions must never count as history.
enum class Purpose { compare, calibrate, selftest, bisect, collect, ratchet };

/// The word for it in the store.
template <>
inline constexpr std::array<std::string_view, 6> kWords<Purpose>{"compare", "calibrate", "selftest",
                                                                 "bisect",  "collect",   "ratchet"};

/// What one run is going to measure: revisions x workloads.
struct Plan {
  std::string run_id;  ///< globally unique
  Purpose purpose = Purpose::compare;
  std::optional<Revision> base;  ///< absent at a root commit and for `collect`
  Revision head;
  Environment environment;
  std::string size = "ci";  ///< smoke, ci or full
  std::uint64_t seed = 0;   ///< order, padding and workload seeds derive from it
  std::vector<PlannedWorkload> workloads;
  std::vector<std::string> missing;  ///< workloads of base's config alone; they are not run
  std::vector<Warning> warnings;
  std::string host{};            ///< random id of the measuring machine; empty: imported
  std::string digest{};          ///< of what the shards of one plan have in common; empty: imported
  std::optional<Shard> shard{};  ///< the workloads are only those of this part
  int attempt = 1;               ///< of its CI job; for people only
};

/// Where the workloads of a report were measured: all of them, or those of one shard.
struct MeasuredOn {
  Environment environment{};
  std::string host{};                    ///< as of Plan
  std::optional<Shard> shard{};          ///< as of Plan
  int attempt = 1;                       ///< as of Plan
  std::vector<std::string> workloads{};  ///< names, as planned; control arms left out
};

inline MeasuredOn measured_on(const Plan& plan) {
  MeasuredOn on{plan.environment, plan.host, plan.shard, plan.attempt};
  for (const PlannedWorkload& planned : plan.workloads) {
    if (planned.control_of.empty()) {
      on.workloads.push_back(planned.workload.name);
    }
  }
  return on;
}

}  // namespace perf
