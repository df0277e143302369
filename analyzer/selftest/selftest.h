#pragma once

#include <vector>

#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/report.h"
#include "schema/selftest.h"

namespace perf {

// The rule of docs/selftest.md: what to plant, and how to judge the verdicts. Pure.

/// The shortest period in seconds: below it scheduling dominates.
inline constexpr double kShortestPeriod = 0.002;
/// The longest period in seconds.
inline constexpr double kLongestPeriod = 0.1;
/// Stops in a step: with fewer its time depends on how they fall; with more, short stops get lost
/// in waiting for a processor on a busy machine.
inline constexpr double kPeriodsPerStep = 5;

/// Of programs smaller than this, in bytes, the kernel's peak may be what their process had before
/// it became the program, under which an allocation hides: as much is planted on top.
inline constexpr double kSmallestPeak = 8 << 20;

/// One plant for each workload of the plan that A/A measured: of the size that its threshold asks
/// for (the largest, where a workload has several series), in the way that the workload offers.
/// `quiet` is the report of the A/A arm.
std::vector<Plant> choose_plants(PlantKind kind, const Plan& plan, const Report& quiet);

/// The same plan for an arm with these plants: without the workloads where they were refused, with
/// the parameters of those that plant by themselves.
Plan planted_plan(const Plan& plan, const std::vector<Plant>& plants);

/// The rows of one arm. `plants`: one for each workload of the A/A plan; empty: nothing was
/// planted. `report` and `measurements`: of the arm; empty if every plant was refused.
std::vector<SelftestRow> selftest_rows(const Plan& plan, const std::vector<Plant>& plants,
                                       const Report& report, const Measurements& measurements);

/// Whether every row is decided, so that the arm needs no more pairs.
bool is_answered(const std::vector<SelftestRow>& rows);

/// The state of the gate by its rows.
GateState gate_state(const std::vector<SelftestRow>& rows);

}  // namespace perf
