#pragma once

#include <vector>

#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/report.h"
#include "schema/selftest.h"

namespace perf {

// The rule of docs/selftest.md: what to plant, and what to make of the verdicts. Pure.

/// Stops and starts closer than this are more of scheduling than of stopping, in seconds.
inline constexpr double kShortestPeriod = 0.002;
/// No stop need be longer than these bring.
inline constexpr double kLongestPeriod = 0.1;
/// A step has to hold this many stops, or its time depends on how they fall; it holds no more where
/// that can be had, because on a busy machine short stops get lost in waiting for a processor.
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

/// What one arm showed. `plants`: one for each workload of the A/A plan; without any, nothing was
/// planted. `report` and `history`: of the arm; where every plant was refused, empty ones.
std::vector<SelftestRow> selftest_rows(const Plan& plan, const std::vector<Plant>& plants,
                                       const Report& report, const Measurements& measurements);

/// Whether more pairs would add nothing to these rows: what an arm asks is answered, whatever other
/// metrics of its workloads are still open.
bool is_answered(const std::vector<SelftestRow>& rows);

/// What the rows say of the gate.
GateState gate_state(const std::vector<SelftestRow>& rows);

}  // namespace perf
