#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/param.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/text/words.h"

namespace perf {

/// The outcome of a commit to be collected, or of one of its workloads.
enum class CollectedStatus {
  measured,  ///< as often as requested; of a commit: one workload at least
  failed,    ///< it did not build, or does not run
  skipped,   ///< it was measured often enough before
  left,      ///< the budget or a signal came first
  same,      ///< its programs were measured at others: --programs
};

/// The word for it in JSON.
template <>
inline constexpr std::array<std::string_view, 5> kWords<CollectedStatus>{
    "measured", "failed", "skipped", "left", "same program"};

/// One metric over the processes of a run, one value a process, in the metric's base unit.
struct CollectedValue {
  double median = 0, min = 0, max = 0;
};

/// A workload at a commit; one record a series, where its processes have several.
struct CollectedWorkload {
  std::string workload;  ///< the series' name: the entry's, or entry/child
  Params params{};
  CollectedStatus status = CollectedStatus::left;
  std::optional<CollectedValue> step_time{};  ///< s; of a process the median of its timed steps
  std::optional<CollectedValue> peak_rss{};   ///< B; of the whole process
  int invocations = 0;                        ///< processes that ended well in this run
  int pairs = 0;                              ///< of them with the anchor
  std::optional<double> change{};             ///< of step_time against the anchor, relative
  std::optional<Interval> interval{};         ///< of `change`; null of few pairs
  std::string failure{};                      ///< why it failed, or why it is alone
};

/// A commit to be collected.
struct CollectedCommit {
  Revision revision;
  CollectedStatus status = CollectedStatus::left;
  std::string run_id{};   ///< empty: there is no run of it
  double measured = 0;    ///< s of measuring in that run
  std::string failure{};  ///< why nothing of it could be measured: it did not build
  std::vector<CollectedWorkload> workloads{};
};

/// The result of `collect`.
struct Collection {
  std::string asked;  ///< the revision or range, as it was given
  bool is_range = false;
  std::string generated_at;  ///< UTC, ISO 8601
  std::string tool_version;
  std::optional<Revision> anchor{};
  std::string fingerprint;  ///< of the machine
  std::string size;
  int wanted = 0;                          ///< processes, or pairs, of each workload at each commit
  std::vector<CollectedCommit> commits{};  ///< oldest first
  double measured = 0;                     ///< s
  bool interrupted = false;
  bool budget_spent = false;
  std::string go_on{};  ///< the command that measures the rest; empty where nothing is left
};

/// How many commits ended so.
inline int count_of(const Collection& collection, CollectedStatus status) {
  return static_cast<int>(std::ranges::count(collection.commits, status, &CollectedCommit::status));
}

}  // namespace perf
