#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/run_list.h"

namespace perf {

/// One process of a run, for `show`.
struct ShownProcess {
  std::int64_t start_order = 0;
  std::string workload;  ///< the name in the config
  Side side = Side::head;
  int pair = 0;
  int attempt = 1;
  bool paired = true;
  std::string apart{};  ///< why its times are no sample: counted, traced, relinked, control,
                        ///< warm-up; else empty
  std::optional<int> exit_code{}, signal{};
  bool timed_out = false;
  std::string failure{};                     ///< empty: it ended well
  double wall = 0;                           ///< s
  int blocks = 0;                            ///< workloads that reported from it
  int steps = 0;                             ///< timed, all its blocks together
  std::optional<double> step_time{};         ///< s, median of its timed steps; of one block only
  bool pruned = false;                       ///< its raw steps were pruned
  std::optional<std::int64_t> peak_rss{};    ///< B
  std::string stdout_text{}, stderr_text{};  ///< the end of its output; kept of failures
};

/// One side of a workload over a run: medians over its processes that ended well and are samples.
struct ShownMedian {
  std::string workload;  ///< as in Comparison: entry/child where a process holds several
  Side side = Side::head;
  int processes = 0;
  std::optional<double> step_time{};  ///< s
  std::optional<double> peak_rss{};   ///< B, of the whole process
};

/// A stored run, for `show`.
struct RunView {
  ListedRun run;
  Plan plan;
  Policy policy;
  double measured = 0;                    ///< s of the budget, without counted and traced processes
  std::vector<ShownProcess> processes{};  ///< in start order
  std::vector<ShownMedian> medians{};     ///< by workload, base before head
  std::vector<ControlResult> audits{};    ///< of its report
  AuditRecord audit_record{};             ///< of the store
};

/// One metric of a workload at a revision, over all its processes on one machine.
struct ShownMetric {
  std::string workload;  ///< as in Comparison
  Params params{};
  Metric metric;
  std::string size;
  std::string fingerprint;  ///< of the machine
  std::string machine;      ///< its processor, for people
  std::string outside{};    ///< as of Workload
  int processes = 0;
  int runs = 0;  ///< that they belong to
  double median = 0, min = 0, max = 0;
  std::optional<double> noise{};  ///< 1.4826 MAD / median; null of fewer than two
};

/// A stored revision, for `show`.
struct RevisionView {
  Revision revision;
  std::vector<ListedRun> runs{};      ///< newest first
  bool more = false;                  ///< older runs are left out
  std::vector<ShownMetric> series{};  ///< by workload, metric, size, parameters and machine
};

}  // namespace perf
