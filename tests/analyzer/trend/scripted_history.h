#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/trend/trend.h"
#include "schema/recorded_history.h"
#include "schema/revision.h"

namespace perf::scripted {

/// A line of commits, a day apart, and what was measured along it.
struct History {
  RecordedHistory recorded;
  std::vector<Revision> line;

  TrendInputs inputs() const { return {recorded, line}; }
};
History history_of(std::size_t commits);

/// The oid of a position on the line.
std::string oid_at(std::size_t position);

/// Values about `level` with this relative deviation, normal.
std::vector<double> noisy(std::size_t points, double deviation, std::uint64_t seed,
                          double level = 0.1);

/// From point `at` on grown by `change`, relative.
std::vector<double> stepped(std::vector<double> values, std::size_t at, double change);

/// Adds a series with one invocation at each of the positions `first`, `first + stride`, ...
RecordedSeries& add_series(History& history, const std::string& workload,
                           const std::vector<double>& values, const std::string& fingerprint = "m1",
                           const Metric& metric = kStepTime, std::size_t first = 0,
                           std::size_t stride = 1);

/// `count` series w00, w01, ... of 1 % noise, a value at every commit.
void add_clean_series(History& history, std::size_t count, std::uint64_t seed,
                      const std::string& fingerprint = "m1");

/// What a workload runs on m1: "p" before a commit, "q" from there on.
void add_programs(History& history, const std::string& workload, std::size_t changed_at);

/// A report on it without replays, once these alerts were shown.
TrendReport report_on(const History& history, const std::vector<Alert>& alerts = {});

/// Steps in that state.
std::size_t steps_in(const TrendReport& report, AlertState state);

/// The history up to a commit, as it was known that night.
History until(const History& history, std::size_t commits);

}  // namespace perf::scripted
