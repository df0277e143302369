#pragma once

#include <string>
#include <vector>

#include "schema/report.h"
#include "tests/reporter/sample_comparisons.h"

namespace perf::samples {

/// Reports as the analyzer makes them, with figures as they come from a real machine.
Report
regressed();  ///< a training step slower, its phases, a memory regression, the rest unchanged
Report unchanged();    ///< fourteen comparisons, nothing moved
Report mixed();        ///< every verdict there is, a failing check, warnings
Report root_commit();  ///< no base: everything new
Report improved();
Report interrupted();   ///< stopped by a signal: nothing decided
Report targets();       ///< two met, one missed, one not measured
Report build_failed();  ///< head does not build: everything failed for one reason
Report empty();         ///< nothing ran
/// Most workloads run the same program; the others are measured, and one of the same as an audit.
Report same_program();
Report shards();  ///< two of three, joined, of machines of two kinds; the third is missing
/// Two files of Go benchmarks, judged: one slower, an exact count, noise, a metric not judged.
Report files();
/// The mixed report with every part that the others have, for JSON.
Report everything();

struct Named {
  std::string name;
  Report report;
};
std::vector<Named> all();

/// Counts verdicts and finds the worst, as the analyzer does.
void summarize(Report& report);
/// A report with revisions, environment and policy, and no comparisons.
Report frame();

/// Comparisons of `count` workloads, for limits and benchmarks.
Report many(int count);
/// The same with two metrics each, measured on both sides: what raw steps belong to.
Report many_measured(int workloads);

}  // namespace perf::samples
