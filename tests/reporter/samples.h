#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "schema/bisection.h"
#include "schema/calibration.h"
#include "schema/collection.h"
#include "schema/diagnosis.h"
#include "schema/measured.h"
#include "schema/profile.h"
#include "schema/report.h"
#include "schema/run_list.h"
#include "schema/run_view.h"
#include "schema/trend.h"

/// What several tests render, and how they look at it.
namespace perf::samples {

/// Statistics that fit a median and a coefficient of variation.
SideStats side(double median, double cov, int invocations, int steps);

/// One judged comparison of step_time with medians, change and interval that fit each other.
Comparison step_time(const std::string& workload, double base_median, double change,
                     double half_width, Verdict verdict);
Comparison peak_rss(const std::string& workload, double base_median, double change,
                    double half_width, Verdict verdict);

/// Measured on one side only, or on none; the reason is its warning.
Comparison unmatched(const std::string& workload, Verdict verdict, const std::string& reason);

/// A note with this text.
Warning note_of(const std::string& text);

/// A metric that is reported, not judged.
Comparison tokens_per_second();

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

/// Raw measurements that fit a report: `pairs` pairs of processes a workload with warm-up and timed
/// steps around its medians, memory, a slow drift and a few stragglers, always the same; the
/// report's comparisons get the changes of these pairs.
std::vector<MeasuredWorkload> measure(Report& report, int pairs = 16, int steps = 10);

/// A report in which every text is the hostile one.
Report poisoned_report(const std::string& text);

/// Histories as the analyzer tells them, with figures as they come from a real machine.
TrendReport moved_history();      ///< new alerts of every kind, known, over, suspects, an event
TrendReport quiet_history();      ///< two series, nothing moved
TrendReport first_night();        ///< one point
TrendReport empty_history();      ///< nothing recorded
TrendReport confirmed_history();  ///< with the comparison that bore the alert out

struct NamedTrend {
  std::string name;
  TrendReport report;
};
std::vector<NamedTrend> all_trends();

/// One in which every text is the given one.
TrendReport poisoned_history(const std::string& text);

/// `series` series of `points` points each, for limits and benchmarks.
TrendReport long_history(std::size_t series, std::size_t points);

/// A history as nights of measuring leave it: `count` series of `points` points with noise of their
/// own and a few outliers, steps of every state, a slope, two baselines, a machine event, and every
/// fifth series as it was on an older machine. The same every time.
TrendReport nights(std::size_t count, std::size_t points);

/// Runs of every kind and ending; every name and subject in them is `text` where it is not empty.
RunList listed_runs(const std::string& text = {});

/// A comparison with a failure, a retry, a counted and a pruned process.
RunView shown_run(const std::string& text = {});

/// A revision measured on two machines, and with two sets of parameters.
RevisionView shown_revision(const std::string& text = {});

/// Collections as the command makes them.
Collection collected_night();     ///< HEAD, one of two workloads fails
Collection collected_anchored();  ///< HEAD in pairs with a pin
Collection unbuilt_night();       ///< HEAD does not build
Collection collected_range();     ///< five commits, each with another end; the budget is spent

/// One in which every text is the given one.
Collection poisoned_collection(const std::string& text);

/// Bisections as the command makes them.
Bisection found_commit();       ///< of 64 commits, with a skipped one
Bisection found_among_three();  ///< two skipped commits beside it, not certain
Bisection unconfirmed_commit();
Bisection uncompared_commit();  ///< the last comparison failed
Bisection nothing_to_find();
Bisection stopped_bisection();  ///< by a signal, half way

/// One in which every text is the given one.
Bisection poisoned_bisection(const std::string& text);

/// Two workloads on a machine of moderate noise, one of them called changed although it is not.
Calibration noisy_calibration();
/// The same, every row quiet and no warning.
Calibration quiet_calibration();

/// One revision: a hot function of C++, one of a library, and 30 that hardly count.
ProfileReport profiled();
/// Two revisions, and what moved between them; a second workload could not be profiled.
ProfileReport profiled_twice();

/// A laptop on battery in a busy office: causes of every severity.
Diagnosis noisy_laptop();

/// Texts that attack a report: tags, Markdown, mentions, workflow commands, escape sequences,
/// bidirectional and invisible characters, bad UTF-8, 10 kB names.
const std::vector<std::string>& hostile_texts();

/// Whether a terminal or a CI service would take a part of this output for a command.
bool is_obeyed(const std::string& text);

std::string encoded(const std::vector<char32_t>& codes);

/// Whether a shell finds the program.
bool has_program(const std::string& program);

/// Runs a shell command with the input on its standard input; its standard output and error.
/// `succeeded` tells whether it exited with 0.
std::string output_of(const std::string& command, const std::string& input, bool& succeeded);

/// Whether Python can validate; and how documents differ from a published schema, as it is and
/// closed (every field that is written must also be described): empty where all fit.
bool has_json_schema();
std::string misfit(const std::string& schema, const std::vector<std::string>& documents);

}  // namespace perf::samples

namespace perf::test {

/// Expects a text to be that of the file in tests/reporter/golden/, to the letter. A wanted change
/// is approved by PERF_COMPARE_APPROVE=1, which rewrites the file: read the difference before
/// committing it.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace perf::test
