#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

// The commands; their outputs have been checked to be writable. They return the exit code, and
// throw UsageError and Error.

/// `perf-compare BASE HEAD`.
int compare_command(const Options& options, Spawner& spawner);

/// `perf-compare ab BASE_COMMAND HEAD_COMMAND`: the same for two commands, without a repository.
int ab_command(const Options& options, Spawner& spawner);

/// Writes a config for the repository. Throws UsageError if a config exists or there is no
/// repository, Error if the file cannot be written.
int init_command(const Options& options, Spawner& spawner);

/// Finds the first bad commit between GOOD and BAD. 1: found and confirmed; 4: BAD is not proven
/// worse than GOOD, or the found commit not worse than the last good one; 3: unfinished, or the two
/// could not be compared.
int bisect_command(const Options& options, Spawner& spawner);

/// Pins a commit as the new best if it is proven better than the commit pinned under the name. 0:
/// accepted; 1: not; 3: could not measure. `--log` shows the attempts instead.
int ratchet_command(const Options& options, Spawner& spawner);

/// Measures a revision against itself on this machine. 0, also if identical code seemed to change
/// (the report has a warning about the machine); 3: could not measure. `--show` shows the newest
/// stored calibration instead.
int calibrate_command(const Options& options, Spawner& spawner);

/// Compares a revision with itself three times: nothing planted, then a slowdown and an allocation
/// planted at head. 0: both detected; 1: one missed, or a false alarm; 3: could not measure.
int selftest_command(const Options& options, Spawner& spawner);

/// Finds causes of noisy timings on this machine. 0, or 4 for problems with `--strict`.
int doctor_command(const Options& options, Spawner& spawner);

/// Profiles a revision, or the difference of two.
int profile_command(const Options& options, Spawner& spawner);

/// Measures a revision, or a range, and stores the results.
int collect_command(const Options& options, Spawner& spawner);

/// Shows changes along history.
int trend_command(const Options& options, Spawner& spawner);
/// Records a decision about one of its alerts.
int alert_command(const Options& options, Spawner& spawner);

/// Verdicts for samples, and change points of series, that were measured elsewhere.
int judge_command(const Options& options, Spawner& spawner);
int detect_command(const Options& options, Spawner& spawner);

/// Imports the results of another tool as runs.
int import_command(const Options& options, Spawner& spawner);

/// Named baselines.
int pin_command(const Options& options, Spawner& spawner);
int unpin_command(const Options& options, Spawner& spawner);
int pins_command(const Options& options, Spawner& spawner);

/// Exchange runs with a hub. 3 if a payload was refused.
int pull_command(const Options& options, Spawner& spawner);
int push_command(const Options& options, Spawner& spawner);
int sync_command(const Options& options, Spawner& spawner);

/// The tables of a PostgreSQL hub.
int hub_command(const Options& options, Spawner& spawner);

/// Store maintenance; `prune` also works on a hub.
int merge_command(const Options& options, Spawner& spawner);
int export_command(const Options& options, Spawner& spawner);
int prune_command(const Options& options, Spawner& spawner);

/// Show a stored run with its exit code, the list of runs, or the data of a run or revision. They
/// measure and store nothing.
int report_command(const Options& options, Spawner& spawner);
int list_command(const Options& options, Spawner& spawner);
int show_command(const Options& options, Spawner& spawner);

}  // namespace perf
