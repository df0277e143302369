#pragma once

#include <vector>

#include "schema/alert.h"
#include "schema/trend.h"

namespace perf {

/// Says of every finding how it stands to the alerts that were shown before, and which of those are
/// over; section "Alerts" of docs/history.md is the rule. Wants change points, suspects, slopes,
/// drifts and machine events found. Alerts of series that are not in the report are left alone, and
/// so are those about commits that are not.
void give_states(TrendReport& report, const std::vector<Alert>& alerts);

/// Whether a step is a lasting worsening that a machine event shows for the first time.
bool is_new_member(const TrendReport& report, const TrendSeries& series, const ChangePoint& step);

/// A part of give_states, once those of single series are given. One regression is one new alert:
/// where a series paired with a baseline and the machine's own series of that workload and metric
/// step within 3 measured commits of each other in one direction, the paired one tells, because it
/// is excused from what the machine did; the other is none, and its facts say so. Known alerts
/// stay, and a paired one beside them is none.
void fold_paired_alerts(TrendReport& report);

}  // namespace perf
