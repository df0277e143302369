#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/report.h"
#include "schema/revision.h"
#include "schema/text/words.h"

namespace perf {

/// How an attempt to beat the best ended.
enum class AttemptOutcome {
  accepted,      ///< proven better: the best from now on
  refused,       ///< it does not look better by at-least
  worse,         ///< another metric is, or may be, worse by its threshold
  check_failed,  ///< an output check fails, or is not run, at head alone
  not_proven,    ///< the last pair was measured; the same command goes on
  stopped,       ///< the budget or a signal came first; the same command goes on
  moved,         ///< proven better than what was no longer the best
  failed,        ///< a side could not be measured
  proven,        ///< as accepted, but --dry-run accepts nothing
  measured,      ///< the gain was
  same_program,  ///< nothing was measured: it runs the best's program
};

/// The word for it in the store and in JSON.
template <>
inline constexpr std::array<std::string_view, 11> kWords<AttemptOutcome>{
    "accepted", "refused", "worse",  "check failed", "not proven",  "stopped",
    "moved",    "failed",  "proven", "measured",     "same program"};

/// What an attempt has to show.
struct RatchetGoal {
  std::string metric;
  double at_least = 0;  ///< relative
  std::string size;
  std::vector<std::string> workloads;  ///< globs; empty: all
  std::string benchmark{};             ///< a digest of the workloads and of files from outside

  bool operator==(const RatchetGoal&) const = default;
};

/// One metric of a workload that must not get worse.
struct GuardedSeries {
  std::string workload, metric;
  std::vector<double> gains{};  ///< of each pair, ln; positive = better
  double gain = 0;              ///< ln; Hodges-Lehmann of the gains
  double threshold = 0;         ///< relative
  bool passes = false;          ///< shown to be worse by less than the threshold
};

/// How a run of a ratchet ended, and the pairs behind it.
struct RatchetEnd {
  AttemptOutcome outcome = AttemptOutcome::stopped;
  std::string at;                      ///< UTC, ISO 8601
  std::string reason{};                ///< why it was not accepted, in a line
  std::vector<double> gains{};         ///< of each pair, ln(best/head), the mean over the workloads
  double estimate = 0;                 ///< ln; Hodges-Lehmann of the gains
  std::optional<Interval> interval{};  ///< ln; where the gain is measured anew
  double evidence = 1;                 ///< E (analyzer/ratchet/attempt.h)
  std::vector<GuardedSeries> guarded{};
};

/// One entry of the ledger: an attempt, or the present best measured anew against the first.
struct RatchetRun {
  std::string run_id{};
  std::string name;        ///< of the pin
  bool is_attempt = true;  ///< else the gain is measured
  int number = 0;          ///< from 1, of its kind: it decides the level
  double alpha = 0;        ///< of all attempts of the name together
  RatchetGoal goal;
  Revision best, head;                         ///< the gain: the first best, the present one
  std::string best_program{}, head_program{};  ///< empty: not known
  std::string fingerprint{};                   ///< of the machine
  std::string started_at{};                    ///< UTC, ISO 8601
  std::optional<RatchetEnd> end{};             ///< absent: it runs, or was killed
};

inline bool is_accepted(const RatchetRun& run) {
  return run.is_attempt && run.end && run.end->outcome == AttemptOutcome::accepted;
}

/// The accepted attempts that led to the best, the latest first.
std::vector<const RatchetRun*> way_to(const std::string& best,
                                      const std::vector<RatchetRun>& ledger);

/// The estimates of those with the goal's metric together, ln: what they claim, not what is proven.
double claimed_gain(const std::vector<const RatchetRun*>& way);

/// The answer of `ratchet NAME REV`.
struct RatchetAnswer {
  std::string generated_at{};  ///< UTC, ISO 8601
  std::string tool_version{};
  /// Its run_id and number are empty where nothing was measured.
  RatchetRun run;
  bool is_repeated = false;          ///< the answer is that of an earlier attempt
  double level = 0;                  ///< a: of this attempt
  double measured = 0;               ///< s
  std::optional<RatchetRun> gain{};  ///< measured after this acceptance
};

/// The answer of `ratchet NAME --log`.
struct RatchetLog {
  std::string generated_at{};  ///< UTC, ISO 8601
  std::string tool_version{};
  std::string name;
  Baseline best;
  std::vector<RatchetRun> runs{};  ///< oldest first
};

}  // namespace perf
