#pragma once

#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/statistics/pair_order.h"
#include "schema/invocation.h"
#include "schema/metric.h"
#include "schema/param.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/readings.h"
#include "schema/report.h"

namespace perf {

/// A pair that counts: both sides ran to a good end in the same attempt.
struct GoodPair {
  int pair = 0;
  const Invocation* base = nullptr;
  const Invocation* head = nullptr;
  PairPlace place{};
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
  std::string at_base{};       ///< why base failed, where head failed beside it

  /// Both sides failed, in the same words but for folders and numbers.
  bool alike() const;
  /// "head failed: exit status 1"; "failed: exit status 1" where there is but one side; "fails at
  /// both sides alike: exit status 1".
  std::string text(bool of_two_sides = true) const;
  std::map<std::string, std::string> about() const;  ///< of a warning
};

/// After so many lost pairs, without a failure repeated on one of them, a workload is given up: its
/// runs fail intermittently, or the collector is being stopped.
inline constexpr int kLostPairsToGiveUp = 2;

/// What a run has measured of one workload. Points into the measurements it was made from.
struct WorkloadSamples {
  const PlannedWorkload* planned = nullptr;
  std::vector<GoodPair> pairs;                ///< by pair number
  std::optional<GoodPair> warmup{};           ///< before them: it filled caches (NewFiles)
  std::vector<const Invocation*> base, head;  ///< every invocation that ended well, in start order
  Fate fate = Fate::paired;
  SideFailure reason;        ///< why the fate is not `paired`
  std::string told{};        ///< output of a failed build, in lines
  bool base_failed = false;  ///< alone because base failed, not because it was never there
  /// Its blocks are series of their own: see BlockCount in schema/readings.h.
  bool several_blocks = false;
  bool given_up = false;             ///< no more pairs, although nothing failed twice
  std::string lost_to_others{};      ///< why: others used the GPU in all attempts at a pair
  CheckResult runs{};                ///< every paired invocation, as a check that it ends well
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
std::optional<std::size_t> workload_of(const std::string& row, const Plan& plan);

/// The value of one metric in one invocation; for step metrics the median of its timed steps.
struct Sample {
  double value = 0;
  const Block* block = nullptr;  ///< the block it is of; null for what the whole process used
};

/// A process with fewer timed steps than a quantile of them needs.
struct TooFewSteps {
  std::size_t steps = 0, needed = 0;
  Side side{};

  Warning warning(const std::string& metric) const;
};

/// What one invocation reports of one metric.
struct Observation {
  Metric metric;
  Sample sample;
  bool of_steps = false;
  bool judge = false;  ///< the workload requests a verdict on it
  std::optional<TooFewSteps> too_few{};
};

/// By workload (the entry's name, or entry/child where its blocks are series of their own) and
/// metric.
using Observations = std::map<std::pair<std::string, std::string>, Observation>;

/// Every metric of an invocation of a workload, as schema/readings.h reads it, and the quantiles
/// that the policy names. With policy.count, instructions are what is counted apart. Points into
/// the invocation.
Observations observations_of(const Invocation& invocation, const WorkloadSamples& samples,
                             const Policy& policy);

struct PairedSample {
  Sample base, head;
  PairPlace place{};
};

/// One metric of one workload (or of one of its blocks) over a run.
struct MetricSamples {
  std::string
      workload;   ///< the config's name, or entry/child where invocations have several blocks
  Params params;  ///< as the first block states, else as planned
  std::optional<Params> base_params;  ///< base's, where two settings are compared
  Metric metric;
  bool of_steps = false;
  bool judged = false;
  bool in_first_pair = false;            ///< on both sides of it: counted when m was frozen
  bool unlike = false;                   ///< its unit or direction is not the same everywhere
  std::optional<TooFewSteps> too_few{};  ///< of its processes the one with the fewest steps
  bool params_differ = false;
  std::vector<PairedSample> pairs;  ///< the good pairs in which both sides have it
  int one_sided = 0;                ///< the good pairs in which one side has it
  /// Of every invocation that ended well; where both sides run the same program, of the traced
  /// ones, whose times mean nothing.
  std::vector<Sample> base, head;
  std::vector<const Block*> only_traced_base{}, only_traced_head{};  ///< for their checks
};

/// Whether it is a step metric whose raw steps are all still there: none was pruned.
bool has_steps(const MetricSamples& series, const std::vector<Sample>& samples);

/// The values behind one side's statistics: all timed steps where they are there, else one value an
/// invocation.
std::vector<double> values_of(const MetricSamples& series, const std::vector<Sample>& samples);

/// What the blocks of an invocation state of a metric, in their order.
std::vector<double> values_of(const Invocation& invocation, const Metric& metric);

/// Whether --metric lets a metric through (no filter: every one).
bool is_shown(const Policy& policy, const std::string& metric);

/// The quantiles of steps that the policy judges in a workload: by name.
std::map<std::string, StepQuantile> step_quantiles(const Policy& policy,
                                                   const std::string& workload);

/// Steps that its quantiles need in each process; 0 without one.
int steps_for_quantiles(const Policy& policy, const std::string& workload);

/// The series of a workload, sorted by workload and metric, those that --metric leaves out
/// included. Judged are step_time, peak_rss, what the workload requests on either side of the
/// first good pair, and what a threshold names; with --metric only what that names.
std::vector<MetricSamples> series_of(const WorkloadSamples& samples, const Policy& policy);

/// What one side stated on its `begin` and `environment` lines; the first value stays.
struct Stated {
  Params params;
  std::map<std::string, std::string> facts;
};
Stated stated_by(const std::vector<const Invocation*>& invocations);

/// Something that is not the same on both sides.
struct Unlike {
  std::string name, base, head;

  std::string text() const { return name + " is " + base + " at base, " + head + " at head"; }
  std::map<std::string, std::string> about() const {  ///< of a warning
    return {{"name", name}, {"base", base}, {"head", head}};
  }
};

/// Statements of both sides that differ.
std::vector<Unlike> unlike(const Params& base, const Params& head);
std::vector<Unlike> unlike(const std::map<std::string, std::string>& base,
                           const std::map<std::string, std::string>& head);

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

/// Those of either.
std::set<std::string> keys_of(const Params& a, const Params& b);

/// The parameters that were set apart on the two sides; none where no settings are compared.
std::set<std::string> keys_set_apart(const PlannedWorkload& planned);

/// Whether a parameter that is set apart accounts for a fact that differs: the fact of its own
/// name; `backend` and `blas` for all that begin with "blas"; one that names another program
/// (`implementation`, `framework`, `library`, `engine`, `runtime`) for all that a program brings,
/// but not for its threads, its device or its precision.
bool accounts_for(const std::string& key, const std::string& fact);

/// Whether a parameter names the program or its means (`implementation`, `backend`,
/// `threads`, ...). Of all others it is taken that they decide what is computed.
bool names_program_or_means(std::string_view key);

/// Where only such settings are compared, both sides have to compute the same: why they do not,
/// as by a dtype that is fp32 at base and bf16 at head. It goes by the parameters and the precision
/// that both sides state, and by tokens_per_step. How many threads a side has is no such reason,
/// and two commits under the same settings are always compared: what a commit changed is never an
/// excuse.
std::optional<Unlike> why_not_same_work(const WorkloadSamples& samples);

/// Whether the two settings differ in nothing but in what these parameters name, as a target
/// between them has to know: parameters that only name the program or its means allow no other
/// work, and one that decides what is computed (`dtype`, a shape) is among them wherever it was set
/// apart.
bool same_work_but_for(const WorkloadSamples& samples, const std::set<std::string>& named);

/// `tokens_per_step`, where a step of base is another number of tokens than one of head.
std::optional<Unlike> unlike_tokens(const WorkloadSamples& samples);

}  // namespace perf
