#pragma once

#include <string>
#include <vector>

#include "reporter/pages.h"
#include "schema/detection.h"
#include "schema/diagnosis.h"
#include "schema/measured.h"
#include "schema/profile.h"
#include "schema/selftest.h"

namespace perf {

/// A picture as a file of its own.
struct Picture {
  std::string name;  ///< of the file, without ".svg": [a-z0-9._-] only, no two alike in a list
  std::string svg;   ///< the whole file
};

/// A page (reporter/pages.h) at a terminal: folded sections are left out,
/// the command that shows it again is said. `color`: ANSI colours; never an ESC byte without it.
std::string render_terminal(const reporter::Document& document, bool color);
/// As GitHub-flavoured Markdown that fits a comment on GitHub: below 64 KiB, cut on row borders.
std::string render_markdown(const reporter::Document& document);
/// As one HTML page that loads nothing.
std::string render_html(const reporter::Document& document);
/// As what GitHub Actions shows in the summary of a step: Markdown of at most `limit` bytes.
std::string render_github_summary(const reporter::Document& document, std::size_t limit);

// The same of every record with a page: a calibration, a bisection, a collection, a history; a list
// of runs, a run and a revision of a store. Markdown of a report has everything in it.
template <typename Record>
std::string render_terminal(const Record& record, bool color) {
  return render_terminal(reporter::page_of(record), color);
}
template <typename Record>
std::string render_markdown(const Record& record) {
  return render_markdown(reporter::page_of(record));
}
inline std::string render_markdown(const Report& report) {
  return render_markdown(reporter::page_of(report, reporter::kInFullBelow));
}
template <typename Record>
std::string render_html(const Record& record) {
  return render_html(reporter::page_of(record));
}
template <typename Record>
std::string render_github_summary(const Record& record, std::size_t limit) {
  return render_github_summary(reporter::page_of(record), limit);
}
inline std::string render_github_summary(const Report& report, std::size_t limit) {
  return render_github_summary(reporter::page_of(report, reporter::kInFullBelow), limit);
}

/// The report as schema/json/report.schema.json describes it; sorted keys, round-trip numbers.
std::string render_json(const Report& report);

/// The report as one HTML page that loads nothing: what the other formats say, and pictures of
/// every comparison, of its raw steps where `measured` has them.
std::string render_html(const Report& report, const std::vector<MeasuredWorkload>& measured);
/// The pictures of that page, each as an SVG file.
std::vector<Picture> plots(const Report& report, const std::vector<MeasuredWorkload>& measured);

/// A report as JUnit XML: a test case per judged comparison, per target and per output check.
std::string render_junit(const Report& report);
/// A report as OpenMetrics text (openmetrics.io, version 1.0).
std::string render_openmetrics(const Report& report);

/// What GitHub Actions shows beside the summary. Annotations are workflow commands, at most 10 of a
/// kind; outputs are NAME=VALUE lines for the steps after this one. Each ends with a line end; no
/// text out of data can begin a command or a line of its own.
std::string render_github_annotations(const Report& report);
std::string render_github_outputs(const Report& report, int exit_code);

/// Steps of series measured elsewhere, one line a series, by name: {"SERIES": [position, ...],
/// ...}, as schema/json/detection.schema.json describes it.
std::string render_detection_json(const std::vector<DetectedSeries>& series);

/// What `doctor` found, as schema/json/doctor.schema.json describes it.
std::string render_doctor_json(const Diagnosis& diagnosis);

/// What `selftest` found, as schema/json/selftest.schema.json describes it.
std::string render_selftest_json(const Selftest& selftest);

/// A calibration as schema/json/calibration.schema.json describes it.
std::string render_calibration_json(const Calibration& calibration);

/// A bisection as schema/json/bisect.schema.json describes it.
std::string render_bisection_json(const Bisection& bisection);

/// An attempt of a ratchet, and its ledger, as schema/json/ratchet.schema.json describes them.
std::string render_ratchet_json(const RatchetAnswer& answer);
std::string render_ratchet_log_json(const RatchetLog& log);

/// What `collect` measured, as schema/json/collection.schema.json describes it.
std::string render_collection_json(const Collection& collection);

/// A history as schema/json/trend.schema.json describes it. It has one line a series: a million
/// points are written in less than a second.
std::string render_trend_json(const TrendReport& report);
/// As of a comparison: a test case per series, which a new alert fails; the present level of every
/// series; new alerts as annotations.
std::string render_trend_junit(const TrendReport& report);
std::string render_trend_openmetrics(const TrendReport& report);
std::string render_github_annotations(const TrendReport& report);
std::string render_github_outputs(const TrendReport& report, int exit_code);
/// A history as one HTML page that loads nothing: every series drawn, with what was found in it.
std::string render_html(const TrendReport& report);
/// A picture of every series, each as an SVG file.
std::vector<Picture> trend_plots(const TrendReport& report);

/// Where workloads spend their time, or what moved between two revisions, as
/// schema/json/profile.schema.json describes it.
std::string render_profile_json(const ProfileReport& report);

/// The runs of a store as schema/json/list.schema.json describes them.
std::string render_run_list_json(const RunList& list);

/// What a store knows of one run as schema/json/run.schema.json describes it.
std::string render_run_json(const RunView& view);

/// What a store knows of one revision as schema/json/revision.schema.json describes it.
std::string render_revision_json(const RevisionView& view);

}  // namespace perf
