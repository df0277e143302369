#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/report.h"

namespace perf {

/// A pair that counts: both sides ran to a good end in the same attempt.
struct GoodPair {
  int pair = 0;
  const Invocation* base = nullptr;
  const Invocation* head = nullptr;
};

/// How a workload can still be measured.
enum class Fate {
  paired,  ///< base against head
  alone,   ///< head only: there is no base, it failed twice, or a target needs head's value
  same,    ///< both sides run the same program: no pairs are needed
  failed,  ///< head cannot be measured
};

/// Why a workload or an attempt failed.
struct SideFailure {
  std::string why;             ///< in a line
  std::optional<Side> side{};  ///< whose process failed; absent: it was not run

  /// "head failed: exit status 1"; "failed: exit status 1" where there is but one side.
  std::string text(bool of_two_sides = true) const;
  std::map<std::string, std::string> about() const;  ///< of a warning
};

/// After so many lost pairs, without a failure repeated on one of them, a workload is given up: its
/// runs fail now and then, or the collector is being stopped.
inline constexpr int kLostPairsToGiveUp = 2;

/// What a run has measured of one workload. Points into the measurements it was made from.
struct WorkloadSamples {
  const PlannedWorkload* planned = nullptr;
  std::vector<GoodPair> pairs;                ///< by pair number
  std::vector<const Invocation*> base, head;  ///< every invocation that ended well, in start order
  Fate fate = Fate::paired;
  SideFailure reason;        ///< why the fate is not `paired`
  std::string told{};        ///< output of a failed build, in lines
  bool base_failed = false;  ///< alone because base failed, not because it was never there
  /// Its blocks are series of their own: see BlockCount in schema/readings.h.
  bool several_blocks = false;
  bool given_up = false;             ///< no more pairs, although nothing failed twice
  std::vector<SideFailure> retries;  ///< the failures after which a pair was run again and counted
  /// Invocations whose instructions were counted: none of them is timed, or among those above.
  std::vector<const Invocation*> counted_base, counted_head;
  /// Traced invocations: their checks count, and, where the fate is `same`, their metrics' names.
  std::vector<const Invocation*> traced_base, traced_head;
};

/// The instructions of invocations that were counted.
std::vector<double> instructions_of(const std::vector<const Invocation*>& counted);

/// What a pair takes in all, s: the median; 0 of none.
double pair_seconds(std::span<const GoodPair> pairs);

/// The name of a workload's rows: of a control arm, that of its workload.
const std::string& entry_name(const PlannedWorkload& planned);

/// Sorts out which pairs of a workload count. A pair with a failed side is dropped whole and tried
/// once more: the retry replaces it. A second failure of head makes the workload failed, one of
/// base only leaves head alone. What head runs alone, one invocation a pair, fails by two failures
/// of one pair, or by kLostPairsToGiveUp lost ones. `ended`: no retry will come, so a first failure
/// is final where nothing else was measured.
WorkloadSamples samples_of(const PlannedWorkload& planned, const Plan& plan,
                           const Measurements& measurements, bool ended);

/// As if nothing had been traced: for audits and targets of workloads that run the same program.
WorkloadSamples audit_samples_of(const PlannedWorkload& planned, const Plan& plan,
                                 const Measurements& measurements, bool ended);

/// Index in the plan of the workload of a report's row; control arms excluded. Rows of several
/// series are called entry/child, and a workload may have such a name as well: the longest name
/// wins.
std::optional<std::size_t> workload_of(const Comparison& row, const Plan& plan);

}  // namespace perf
