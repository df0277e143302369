#pragma once

#include <string>
#include <vector>

#include "schema/report.h"

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

}  // namespace perf
