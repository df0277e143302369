#pragma once

#include <string>

#include "reporter/document.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {

/// Where a step happened: "at 3f2a9c01d2e4 Use a map (Ada, 2026-01-31)", or "in one of 4 commits
/// after 1a2b3c4d5e6f, up to 3f2a9c01d2e4 Use a map (Ada, 2026-01-31)".
Prose place_phrase(const TrendReport& report, const ChangePoint& step);

/// Where a finding of any kind happened: a step's place, "a slope of +0.02 % a point over the last
/// 120 points, 2025-10-01 to 2026-01-31", "away from the baseline release at 1a2b3c4d5e6f".
Prose place_phrase(const TrendReport& report, const Finding& finding);

/// "`parser` `step_time` +12.4 % [+10.9, +13.8]".
Prose change_phrase(const Finding& finding, const SeriesNames& names);

/// "412 ms -> 471 ms" of a step; empty for what has no levels.
std::string levels_text(const Finding& finding);

/// "0.02": how many false alarms per 1,000 points are as clear; "0.008 or fewer" where that is all
/// that was ever measured; empty for what has no such rate.
std::string chance_text(const Finding& finding);

/// The cells workload, metric, levels and change of its row.
std::vector<Prose> finding_cells(const TrendDigest& trend, const Finding& finding);

/// What kind of finding it is, then its change and its place.
Prose finding_line(const TrendDigest& trend, const Finding& finding, Prose kind);

/// "; to make sure: perf-compare A B -w parser", where there is a command that would tell.
void add_confirm_command(Prose& line, const Finding& finding);

/// Who decided, when and why: "by Ada on 2026-01-31: a price paid on purpose".
Prose decider_phrase(const AlertEvent& decision);

/// The same after what was decided: "ignored by Ada on ...".
Prose decision_phrase(const AlertEvent& decision);

/// The day of a moment in ISO 8601: "2026-01-31"; of none, none.
std::string day_of(const std::string& moment);

/// The day of the commit at an index; empty where there is none of that index.
std::string day_of(const TrendReport& report, std::uint32_t index);

/// A commit of the report by its index; nullptr where there is none of that index.
const Revision* commit_at(const TrendReport& report, std::uint32_t index);

}  // namespace perf::reporter
