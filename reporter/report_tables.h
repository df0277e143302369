#pragma once

#include "reporter/document.h"
#include "schema/report.h"

namespace perf::reporter {

// The smaller tables of a report; each is empty where there is nothing of its kind.

/// A row per family and metric: "training/*", its metric, how many workloads, their geometric mean
/// with its interval. Of families that have two judged workloads.
Table family_table(const Report& report);

/// "NAME is 1.80x, wanted at least 2x".
Prose target_phrase(const TargetResult& result, const Report& report);

/// A row per target: name, value at head, bound, status: met, missed, not measured. Values are in
/// the unit of the metric, as a comparison of the same workload tells it; ratios are written
/// "2.4x".
Table target_table(const Report& report);

/// A row per workload that reports sizes and quality: what a step takes, how large the result is
/// and how good, all at head.
Table trade_off_table(const Report& report);

/// "with backend=eigen, threads=1": what one side of a comparison of settings was run with, of the
/// parameters that differ. Where rows differ in it, only what all have in common; empty where no
/// settings are compared.
Prose settings_phrase(const Report& report, Side side);

/// The settings of a varied parameter, each against the first: workload, setting, metric, base,
/// head, change, verdict. Of judged metrics; no rows where nothing was varied.
Table variant_table(const Report& report);

}  // namespace perf::reporter
