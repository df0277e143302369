#pragma once

#include <string>
#include <vector>

#include "schema/bisection.h"
#include "schema/calibration.h"
#include "schema/collection.h"
#include "schema/detection.h"
#include "schema/finding.h"
#include "schema/profile.h"
#include "schema/report.h"
#include "schema/selftest.h"
#include "schema/trend.h"

namespace perf {

/// The report of a person at a terminal. `color`: ANSI colours; never an ESC byte without it.
std::string render_terminal(const Report& report, bool color);

/// The report as GitHub-flavoured Markdown, at most 900 KiB, cut on row borders.
std::string render_markdown(const Report& report);

/// The report as schema/json/report.schema.json describes it; sorted keys, round-trip numbers.
std::string render_json(const Report& report);

/// Verdicts of `judge`: {"cases": {NAME: {verdict, change, interval, pairs, ...}}}.
std::string render_judge_json(const std::vector<Comparison>& cases);
std::string render_judge_terminal(const std::vector<Comparison>& cases, bool color);

/// Steps of series measured elsewhere, one line a series, by name: {"SERIES": [position, ...], ...},
/// as schema/json/detection.schema.json describes it.
std::string render_detection_json(const std::vector<DetectedSeries>& series);

/// What `doctor` found, as schema/json/doctor.schema.json describes it.
std::string render_doctor_json(const Diagnosis& diagnosis);
/// For a person, 80 columns wide: bad findings with reason and remedy, notes with their remedy, the
/// rest counted; `verbose` shows all of it.
std::string render_doctor_terminal(const Diagnosis& diagnosis, bool color, bool verbose);

/// What `selftest` found, as schema/json/selftest.schema.json describes it.
std::string render_selftest_json(const Selftest& selftest);
/// For a person: whether the gate works, what was planted and what became of it; where nothing was
/// planted and nothing changed, a count.
std::string render_selftest_terminal(const Selftest& selftest, bool color);

/// A calibration for a person, as Markdown, and as schema/json/calibration.schema.json describes it.
std::string render_calibration_terminal(const Calibration& calibration, bool color);
std::string render_calibration_markdown(const Calibration& calibration);
std::string render_calibration_json(const Calibration& calibration);

/// A bisection for a person, as Markdown, and as schema/json/bisect.schema.json describes it.
std::string render_bisection_terminal(const Bisection& bisection, bool color);
std::string render_bisection_markdown(const Bisection& bisection);
std::string render_bisection_json(const Bisection& bisection);

/// What `collect` measured for a person, as Markdown, and as schema/json/collection.schema.json
/// describes it.
std::string render_collection_terminal(const Collection& collection, bool color);
std::string render_collection_markdown(const Collection& collection);
std::string render_collection_json(const Collection& collection);

/// A history for a person, as Markdown, and as schema/json/trend.schema.json describes it. The JSON
/// has one line a series: a million points are written in less than a second.
std::string render_trend_terminal(const TrendReport& report, bool color);
std::string render_trend_markdown(const TrendReport& report);
std::string render_trend_json(const TrendReport& report);

/// Where workloads spend their time, or what moved between two revisions, as
/// schema/json/profile.schema.json describes it.
std::string render_profile_json(const ProfileReport& report);
/// For a person: the largest shares, or the largest changes, a table a workload.
std::string render_profile_terminal(const ProfileReport& report, bool color);

}  // namespace perf
