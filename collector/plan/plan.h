#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "collector/git/baseline.h"
#include "collector/git/repository.h"
#include "collector/plan/config_source.h"
#include "schema/config.h"
#include "schema/param.h"
#include "schema/plan.h"
#include "schema/revision.h"

namespace perf {

/// One parameter and the values to compare: the first is base's.
struct VariedParam {
  std::string key;
  std::vector<Param> values;
};

/// What turns a comparison of revisions into one of settings.
struct Settings {
  Params base;                      ///< --base-set: parameters of base alone
  Params head;                      ///< --head-set
  std::optional<VariedParam> vary;  ///< --vary

  bool any() const { return !base.empty() || !head.empty() || vary; }
};

/// What was asked for.
struct PlanOptions {
  std::string base = "baseline";
  std::string head = "HEAD";
  bool head_only = false;  ///< `collect`: there is no base, and no working tree to measure
  std::optional<std::filesystem::path> config_file;  ///< --config
  std::string size = "ci";
  std::optional<std::uint64_t> seed;        ///< absent: a fresh one
  std::vector<std::string> workload_globs;  ///< -w; empty = all
  bool names_benchmarks = false;  ///< a glob that no workload matches may begin with NAME/ of one
  Settings settings;              ///< --base-set, --head-set, --vary
  std::vector<Baseline> pins;     ///< of the store
  GetVariable variable;           ///< the environment; absent = no CI event
  Environment environment;        ///< of this machine
  std::string host{};             ///< its random id
  int attempt = 1;                ///< of this job
  /// Files and folders that this run writes: reports, the store. They are no changes to measure.
  std::vector<std::filesystem::path> outputs;
};

/// A plan and what is needed to carry it out.
struct PlannedRun {
  Plan plan;
  Config config;              ///< the one whose workloads are measured
  std::string config_source;  ///< where it came from: "perf-compare.json of the working tree"
  std::optional<BuildCommand> base_build, head_build;  ///< nullopt: nothing is to be built
  std::uint64_t layout_seed = 0;  ///< PERF_COMPARE_LAYOUT_SEED of both builds; 0 = not given
  bool counts = false;            ///< both builds are counted, too: PERF_COMPARE_COUNT
  bool one_build = false;         ///< that of --config's file builds every commit
  std::string base_build_source{}, head_build_source{};  ///< whose config's they are
  Outside outside{};                                     ///< what the config brings
  std::vector<PlannedWorkload> whole{};  ///< of a shard: those of its plan before it was cut
};

/// Decides what one run measures. The workloads are those of
/// --config, else of the working tree's perf-compare.json, else of head's, and their commands apply
/// to both sides; names that only base's own config has are `missing`. The build command of
/// --config's file builds both sides, where it has one; else each revision is built with that of
/// its own config, one without it with head's, head without it with that of the config used. Writes
/// nothing but, for `.`, the objects of the snapshot. Throws UsageError for names that lead
/// nowhere, a config that is wrong or not there, a size or glob that leaves nothing; Error for a
/// repository that cannot answer.
PlannedRun make_plan(const Repository& repository, const PlanOptions& options);

/// The same run between two other commits, or at another one without a base: its workloads, config
/// and size, and the build commands of these commits' own configs (of one without it, that of
/// `run`'s head). Its id is its own; its seed follows from the run's and the commits', so that
/// every pair of commits draws its own orders.
PlannedRun plan_between(const Repository& repository, const PlannedRun& run,
                        const std::optional<Revision>& base, const Revision& head);

/// Gives a plan's workloads the settings: base's go to `base_params`, head's over `params`. Where a
/// parameter is varied, each workload NAME becomes one a further value, named as `variant_name`
/// says, with the first value at base. A key that no workload has is passed on, because a command
/// may know parameters that the config does not mention; a warning says so.
/// Throws UsageError for a key that is no option's name (--KEY), one value twice, fewer than two
/// values, a key that is varied and set, and names that become too long.
void apply_settings(const Settings& settings, Plan& plan);

/// NAME/KEY-VALUE, what a workload's name may not hold replaced by `_`.
std::string variant_name(const std::string& workload, const std::string& key, const Param& value);

/// Gives every workload of a comparison its control arm: base against base, as `NAME/control`, or
/// `NAME/control-2`, ... where the plan has that name. They stand behind all workloads. Nothing
/// where there is no base.
void add_control_arms(Plan& plan);

/// What a plan's workload weighs.
struct ShardedWorkload {
  std::string name;
  double seconds = 0;  ///< that it takes, as the config says; 0: it does not
};

/// Which of `count` shards (1 to count) measures each workload of a plan. It follows from names and
/// seconds alone, whoever asks.
///
/// Without seconds each workload goes where its name draws the highest number (rendezvous hashing;
/// Thaler, Ravishankar 1998): one that is added moves no other. With seconds, the longest first, to
/// the shard that has least (Graham 1969), ties by those numbers: at most 4/3 of the best there is;
/// who says nothing weighs as much as the mean of those who do.
std::vector<int> shards_of(const std::vector<ShardedWorkload>& workloads, int count);

}  // namespace perf
