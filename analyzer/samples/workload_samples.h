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

/// What can still be measured of a workload.
enum class Fate {
  paired,  ///< base against head
  alone,   ///< head only: there is no base, it failed twice, or a target needs head's value
  same,    ///< both sides run the same program: no pairs are needed
  failed,  ///< head cannot be measured
};

/// Why nothing comes of a workload or of an attempt.
struct SideFailure {
  std::string why;             ///< in a line
  std::optional<Side> side{};  ///< whose process failed; none: it was not run at all

  /// "head failed: exit status 1"; "failed: exit status 1" where there is but one side.
  std::string text(bool of_two_sides = true) const;
  std::map<std::string, std::string> about() const;  ///< of a warning
};

/// After so many pairs that came to nothing, without a failure repeated on one of them, a workload
/// is given up: its runs fail now and then, or the collector is being stopped.
inline constexpr int kLostPairsToGiveUp = 2;

/// What a run has measured of one workload. Points into the history it was made from.
struct WorkloadSamples {
  const PlannedWorkload* planned = nullptr;
  std::vector<GoodPair> pairs;                ///< by pair number
  std::vector<const Invocation*> base, head;  ///< every invocation that ended well, in start order
  Fate fate = Fate::paired;
  SideFailure reason;        ///< why the fate is not `paired`
  std::string told{};        ///< what a failed build said of it, in lines
  bool base_failed = false;  ///< alone because base failed, not because it was never there
  /// Its blocks are series of their own: see BlockCount in schema/readings.h.
  bool several_blocks = false;
  bool given_up = false;             ///< no more pairs, although nothing failed twice
  std::vector<SideFailure> retries;  ///< the failures after which a pair was run again and counted
  /// Invocations whose instructions were counted: none of them is timed, or among those above.
  std::vector<const Invocation*> counted_base, counted_head;
  /// Those that looked: their checks count, and, where the fate is `same`, what metrics they have.
  std::vector<const Invocation*> traced_base, traced_head;
};

/// The instructions of invocations that were counted.
std::vector<double> instructions_of(const std::vector<const Invocation*>& counted);

/// What a pair takes in all, s: the median; 0 of none.
double pair_seconds(std::span<const GoodPair> pairs);

/// The name that a workload's rows bear: of a control arm, that of what it stands beside.
const std::string& entry_name(const PlannedWorkload& planned);

/// Sorts out which pairs of a workload count. A pair with a failed side is dropped whole and tried
/// once more: the retry replaces it. A second failure of head makes the workload failed, one of
/// base only leaves head alone. So it is for what head runs alone, one invocation a pair: it is
/// failed by two failures of one, or by kLostPairsToGiveUp that came to nothing. `ended`: no retry
/// will come, so that a first failure is final where nothing else was measured.
WorkloadSamples samples_of(const PlannedWorkload& planned, const Plan& plan,
                           const Measurements& measurements, bool ended);

/// The same of what was measured, whatever looking said: of the same program too, as an audit or
/// for a target.
WorkloadSamples audit_samples_of(const PlannedWorkload& planned, const Plan& plan,
                                 const Measurements& measurements, bool ended);

/// Index in the plan of the workload that a report's row belongs to. Rows of several series are
/// called entry/child, and a workload may bear such a name as well: the longest name wins. Control
/// arms are nobody's workload. Nothing where the plan has none.
std::optional<std::size_t> workload_of(const Comparison& row, const Plan& plan);

}  // namespace perf
