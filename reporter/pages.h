#pragma once

#include <string>

#include "reporter/document.h"
#include "schema/bisection.h"
#include "schema/calibration.h"
#include "schema/collection.h"
#include "schema/diagnosis.h"
#include "schema/profile.h"
#include "schema/ratchet.h"
#include "schema/report.h"
#include "schema/run_list.h"
#include "schema/run_view.h"
#include "schema/selftest.h"
#include "schema/trend.h"

namespace perf::reporter {

// What a person should see, before any output format.

/// A report: the verdict, base and head, the environment, what changed, counts of the rest,
/// targets; and for the second look everything, the environment, how to reproduce. `in_full` is
/// where the reader finds what is only counted.
Document page_of(const Report& report, const std::string& in_full = kInFullElsewhere);

/// A history: what is new, each alert with its commit, its noise and the command that would make
/// sure; machine events; what was known, is over or got better; suspects, slopes and drifts; counts
/// of the rest with the measured rate of false alarms; and folded: the comparisons that were run,
/// all findings, all series.
Document page_of(const TrendReport& report);

/// The same for an output that draws the new alerts and all series itself: without their tables.
Document page_around_pictures(const TrendReport& report);

/// A bisection: the first bad commit with the evidence for it, the commits that were measured,
/// those that could not be, and the comparison of the step's neighbours as an ordinary report.
Document page_of(const Bisection& bisection);

/// An attempt of a ratchet: whether it was accepted and why not, what was guarded, the whole gain
/// where it was measured.
Document page_of(const RatchetAnswer& answer);

/// The attempts of a ratchet, their claims together, and the gain that was measured.
Document page_of(const RatchetLog& log);

/// A calibration: whether identical code was left alone, the noise of each series and what it lets
/// a comparison see, what a whole report costs at each threshold and how often it would err, beside
/// the false alarms of simpler rules.
Document page_of(const Calibration& calibration);

/// What `doctor` found: problems and notes with remedies, the rest counted. `verbose`: why notes
/// matter, and all checks.
Document page_of(const Diagnosis& diagnosis, bool verbose = true);

/// What `selftest` found: whether the gate works, what was planted and whether it was caught; where
/// nothing was planted and nothing changed, a count.
Document page_of(const Selftest& selftest);

/// What `profile` found: the largest shares, or the largest changes, a table a workload.
Document page_of(const ProfileReport& report);

/// What `collect` measured: of one revision its workloads in numbers, of a range a line for each
/// commit; what failed and why; and the command that goes on where something is left. No verdicts:
/// they need another revision beside it.
Document page_of(const Collection& collection);

/// A list of runs: a row each, and how many there are.
Document page_of(const RunList& list);

/// What the store knows of one run: where and how it was measured, what was planned, the medians,
/// and a row for each of the first and last processes and each that failed, with its failure and
/// the end of what it printed below it.
Document page_of(const RunView& view);

/// What the store knows of one revision: what was measured there, of each workload the median over
/// all its processes, and the runs that did it.
Document page_of(const RevisionView& view);

}  // namespace perf::reporter
