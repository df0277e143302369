#pragma once

#include "ci/cli/options/options.h"
#include "collector/process/spawner.h"

namespace perf {

// What each command does, in the file of its name or of its kind; its outputs are known to be
// writable. They return the exit code, and throw UsageError and Error.

/// `perf-compare BASE HEAD`, from revisions to an exit code.
int compare_command(const Options& options, Spawner& spawner);

/// Writes a config for the repository it stands in. Throws UsageError where there is a config
/// already, or no repository; Error where it cannot be written.
int init_command(const Options& options, Spawner& spawner);

/// The first bad commit between GOOD and BAD, with its evidence. 1: it was found and confirmed; 4:
/// BAD is not shown to be worse than GOOD, or the commit that the search led to not worse than the
/// last good one; 3: it did not come to its end, or those two could not be compared.
int bisect_command(const Options& options, Spawner& spawner);

/// One revision against itself on this machine, and what follows for real comparisons here. 0, also
/// where identical code was called changed (the report warns; it is a finding about the machine,
/// not about the revision), 3 where nothing could be measured. `--show` shows the newest one stored
/// for this machine instead, and measures nothing.
int calibrate_command(const Options& options, Spawner& spawner);

/// Proves that the gate can fail. Three comparisons of a revision with itself: nothing planted,
/// then a slowdown and an allocation planted at head. 0: the gate works; 1: it missed something or
/// raised a false alarm; 3: that could not be shown.
int selftest_command(const Options& options, Spawner& spawner);

/// What on this machine makes timings noisy, and what to do. 0, or 4 where something bad was found
/// and `--strict` given.
int doctor_command(const Options& options, Spawner& spawner);

/// Where the time of a revision goes; of two, what moved.
int profile_command(const Options& options, Spawner& spawner);

/// Measures a revision, or the gaps of a range, and keeps it.
int collect_command(const Options& options, Spawner& spawner);

/// What moved along history.
int trend_command(const Options& options, Spawner& spawner);
/// Keeps what people decided about one of its alerts.
int alert_command(const Options& options, Spawner& spawner);

/// Verdicts for samples, and steps of series, that were measured elsewhere.
int judge_command(const Options& options, Spawner& spawner);
int detect_command(const Options& options, Spawner& spawner);

/// Keeps what another tool measured as runs of this store.
int import_command(const Options& options, Spawner& spawner);

/// Named baselines.
int pin_command(const Options& options, Spawner& spawner);
int unpin_command(const Options& options, Spawner& spawner);
int pins_command(const Options& options, Spawner& spawner);

/// Runs meet those of other machines in a hub: taken from there, brought there, or both. 3 where a
/// payload was refused, and named.
int pull_command(const Options& options, Spawner& spawner);
int push_command(const Options& options, Spawner& spawner);
int sync_command(const Options& options, Spawner& spawner);

/// The tables of a PostgreSQL hub.
int hub_command(const Options& options, Spawner& spawner);

/// The store's keeping; `prune` keeps a hub, too.
int merge_command(const Options& options, Spawner& spawner);
int export_command(const Options& options, Spawner& spawner);
int prune_command(const Options& options, Spawner& spawner);

/// A stored run rendered again, with the exit code it had; the runs of the store, newest first;
/// what the store knows of a run or a revision. These measure and store nothing.
int report_command(const Options& options, Spawner& spawner);
int list_command(const Options& options, Spawner& spawner);
int show_command(const Options& options, Spawner& spawner);

}  // namespace perf
