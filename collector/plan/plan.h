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
  bool of_store = false;        ///< nothing is measured: no config is needed, nor a workload in it
  bool head_only = false;       ///< `collect`: no base, and the working tree is not measured
  bool policy_of_base = false;  ///< base's config decides: its policy and targets
  bool config_of_base = false;  ///< without --config, base's is used: its workloads, too
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
  /// Files and folders that this run writes (reports, the store), which are not changes to measure.
  std::vector<std::filesystem::path> outputs;
};

/// A plan and what is needed to carry it out.
struct PlannedRun {
  Plan plan;
  Config config;              ///< the one whose workloads are measured
  std::string config_source;  ///< where it came from: "perf-compare.json of the working tree"
  std::optional<BuildCommand> base_build, head_build;  ///< nullopt: nothing is to be built
  std::uint64_t layout_seed = 0;  ///< PERF_COMPARE_LAYOUT_SEED of both builds; 0 = not given
  bool counts = false;            ///< both builds are counted as well: PERF_COMPARE_COUNT
  bool one_build = false;         ///< the build command of --config's file builds every commit
  std::string base_build_source{}, head_build_source{};  ///< whose config the commands are from
  Outside outside{};                                     ///< files that no commit contains
  std::vector<PlannedWorkload> whole{};                  ///< of a shard: all workloads of the plan
};

/// Decides what one run measures. The workloads are those of --config, else of the working tree's
/// perf-compare.json, else of head's; their commands apply to both sides, and workloads that only
/// base's own config has are `missing`. A build command in --config's file builds both sides; else
/// each revision is built by its own config's, base without one by head's, head without one by that
/// of the config used. Writes only, for `.`, the objects of the snapshot. Throws UsageError for
/// unknown revisions, a missing or invalid config, and a size or glob without workloads; Error
/// where the repository cannot be read.
PlannedRun make_plan(const Repository& repository, const PlanOptions& options);

/// The same run for two other commits, or for one without a base: its workloads, config and size,
/// with the build commands of these commits' own configs (else of `run`'s head). Gets a new id; its
/// seed follows from the run's and the commits', so that every pair of commits draws its own order.
PlannedRun plan_between(const Repository& repository, const PlannedRun& run,
                        const std::optional<Revision>& base, const Revision& head);

/// The same for two commands: of a run without a repository, whose workloads the caller sets.
PlannedRun plan_between(const PlannedRun& run, const std::optional<Revision>& base,
                        const Revision& head);

/// Applies settings to a plan's workloads: base's become `base_params`, head's replace `params`. A
/// varied parameter makes of each workload NAME one for each further value (variant_name), with the
/// first value at base. A key that no workload has is passed on with a warning, because a command
/// may know parameters that the config does not mention. Throws UsageError for a key that cannot be
/// an option (--KEY), duplicate values, fewer than two values, a key that is both varied and set,
/// and names that become too long.
void apply_settings(const Settings& settings, Plan& plan);

/// NAME/KEY-VALUE, with `_` for characters that a workload's name may not contain.
std::string variant_name(const std::string& workload, const std::string& key, const Param& value);

/// Adds a control arm, base against base, to every workload of a comparison: `NAME/control`, or
/// `NAME/control-2`, ... where the plan has that name. They follow all workloads. Nothing without a
/// base.
void add_control_arms(Plan& plan);

/// The weight of a plan's workload.
struct ShardedWorkload {
  std::string name;
  double seconds = 0;  ///< that it takes, by the config; 0: not given
};

/// Which of `count` shards (1 to count) measures each workload of a plan: a function of names and
/// seconds alone, so that all shards agree.
///
/// Without seconds each workload goes to the shard for which its name draws the highest number
/// (rendezvous hashing; Thaler, Ravishankar 1998): a new workload moves no other. With seconds, the
/// longest first, to the shard that has least (Graham 1969), ties by those numbers: at most 4/3 of
/// the optimum; a workload without seconds weighs the mean of the others.
std::vector<int> shards_of(const std::vector<ShardedWorkload>& workloads, int count);

}  // namespace perf
