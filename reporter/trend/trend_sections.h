#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reporter/document.h"
#include "reporter/trend/findings.h"

namespace perf::reporter {

/// New alerts, the clearest first: a row each, below it the commit or the range, the points around
/// it, how often chance is as clear, the noise on both sides, what else changed there and how to
/// make sure. What is beyond the first dozen is counted, and in the folded table of all findings.
Section new_alert_section(const TrendDigest& trend);

/// What there is to say of an alert: where it happened, how often chance is as clear, what else
/// changed there, which comparison bore it out or how to make sure.
std::vector<Prose> alert_remarks(const TrendReport& report, const Finding& finding);

/// How many new alerts are shown one by one.
constexpr std::size_t kShownAlerts = 12;

/// Alerts that were shown before: those that stand, a line each with the day they were first
/// shown and what was decided, then those that are over, were refuted, or are ignored; and the
/// command that decides.
Section known_alert_section(const TrendDigest& trend);

/// What is no alert, newest first and a few of each kind: improvements, suspects with the command
/// that would tell, slopes, steps for the worse that are too small or of metrics that nobody
/// judges, and where the series stand against each baseline.
/// `in_full` is where the reader finds the rest of them.
std::vector<Prose> lesser_finding_lines(const TrendDigest& trend, const std::string& in_full);

/// Where many series of a machine moved together, new ones first, then newest first: when, how
/// many, how far, which, what of the machine changed there, and the command that tells machine from
/// commit.
std::vector<Prose> machine_event_lines(const TrendDigest& trend);

/// "3 of 4 series of machine 1f2e3d4c moved together, median +30 %, at 3f2a9c01d2e4 Use a map".
Prose machine_event_phrase(const TrendReport& report, const MachineEvent& event);

/// The sentence that decides, and what to do where there is nothing to tell yet: "2 new alerts:
/// `parser` is slower, step_time +12.4 % [+10.9, +13.8] at 3f2a9c01d2e4 Use a map; 1 known, 1
/// recovered; 198 of 200 series did not move since 2026-01-01". A machine event that is new is the
/// news where there is no new alert.
std::vector<Prose> trend_headline(const TrendDigest& trend);

/// bad: new or reopened alerts; unsettled: known ones, machine events, suspects, or nothing to tell
/// from.
Mood trend_mood(const TrendDigest& trend);

}  // namespace perf::reporter
