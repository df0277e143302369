#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/metric.h"
#include "schema/param.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/text/words.h"
#include "schema/workload.h"

namespace perf {

/// Identifies a bisection, so that a second one continues the first.
struct BisectionKey {
  std::string good, bad;  ///< full oids
  Workload workload;
  std::string metric;
  std::string size;
  std::string fingerprint;            ///< of the machine: pairs of other machines do not count
  std::optional<std::uint64_t> seed;  ///< absent: that of the latest one, or a fresh one
};

/// A run that belongs to a bisection.
struct BisectionRun {
  std::string run_id;
  bool last = false;        ///< the last comparison; else a commit (head) against GOOD (base)
  bool reported = false;    ///< its report is stored
  std::string base, head;   ///< oids
  std::string head_failed;  ///< why head could not be built; empty when it could
};

/// A bisection as the store knows it.
struct StoredBisection {
  std::string id;
  std::uint64_t seed = 0;
  std::vector<BisectionRun> runs;  ///< in the order they were begun
};

/// How a bisection ended.
enum class BisectionAnswer {
  found,         ///< the first bad commit, or a few that cannot be told apart
  unconfirmed,   ///< a commit was found, but it is not worse than the last good one
  unmeasured,    ///< a commit was found, but could not be compared with the last good one
  not_worse,     ///< BAD is proven not to be worse than GOOD by the threshold
  undecided,     ///< whether BAD is worse than GOOD could not be shown
  unfinished,    ///< budget or interruption: the same command continues
  same_program,  ///< GOOD and BAD, or the neighbours found, run the same program
};

/// The contract's word for it.
template <>
inline constexpr std::array<std::string_view, 7> kWords<BisectionAnswer>{
    "found", "unconfirmed", "unmeasured", "not_worse", "undecided", "unfinished", "same_program"};

/// A commit, or an item of a list, that was measured against GOOD.
struct VisitedCommit {
  Revision revision;
  int pairs = 0;
  std::optional<double> change;      ///< relative to GOOD, positive = the value grew
  std::optional<Interval> interval;  ///< of the change, 95 %
  double probability = 0;            ///< that it is bad, given everything measured
  std::string same_as{};             ///< oid of a commit that runs the same program
};

/// A commit that could not be measured.
struct SkippedCommit {
  Revision revision;
  std::string reason;
};

/// The result of `bisect`.
struct Bisection {
  std::string id;
  std::string generated_at;  ///< UTC, ISO 8601
  std::string tool_version;
  Revision good, bad;
  int commits = 0;  ///< on the first-parent line after GOOD, up to BAD
  std::string workload;
  Params params;
  Metric metric;
  std::string size;
  std::uint64_t seed = 0;
  double threshold = 0;  ///< the smallest step searched for, relative
  BisectionAnswer answer = BisectionAnswer::unfinished;

  int end_pairs = 0;                     ///< pairs behind the comparison of GOOD and BAD
  std::optional<double> end_change;      ///< of BAD against GOOD, relative
  std::optional<Interval> end_interval;  ///< at the look that decided

  std::optional<Revision> last_good, first_bad;  ///< the answer; unfinished: the likeliest so far
  std::vector<Revision> candidates;    ///< skipped ones that may be the first bad commit as well
  double probability = 0;              ///< of the answer, given everything measured
  bool certain = false;                ///< else as far as pairs could tell
  std::vector<VisitedCommit> visited;  ///< oldest first
  std::vector<SkippedCommit> skipped;  ///< oldest first
  int pairs = 0;                       ///< of all visits
  double measured = 0;                 ///< s, the last comparison included
  bool interrupted = false;
  bool budget_spent = false;         ///< before there was an answer
  bool is_kept = true;               ///< the store stays: the same command continues
  std::optional<Report> comparison;  ///< last_good against first_bad, by the ordinary rule
  std::vector<std::string> reproduce;
};

}  // namespace perf
