#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schema/demand.h"
#include "schema/invocation.h"
#include "schema/plan.h"
#include "schema/policy.h"
#include "schema/report.h"

namespace perf {

// Layout effects: docs/layout.md. A change is flagged, but the hot code is the same at base and
// head. If where the code lies is all that changed, then the change goes away, or turns round, when
// both sides are linked anew with random paddings.

inline constexpr const char* kLayoutEffect = "layout effect";
/// The build does not move its code when asked to, so that nothing can be tried.
inline constexpr const char* kLayoutEffectSuspected = "layout effect suspected";

/// A row that layout could explain: a judged time, regressed or improved, with the level at which
/// it was decided.
bool is_flagged_time(const Comparison& row);

/// Whether functions with these shares of the samples, 0..1, could hold the time that moved: no
/// more than all their time on the slower side can have come or gone. A change of the rest of the
/// program (a script, say, around a native function that stayed) is no layout effect of theirs.
bool can_explain(const Comparison& row, double base_share, double head_share);

/// Pairs of relinked builds that a row needs: the least number that has an interval of its
/// level a', which is n_1 of its report.
int layout_pairs(const Comparison& row);

/// One pair of the row's workload in the builds with this seed, with as many steps as its pairs
/// before took last. Nothing where the plan has no such workload.
std::optional<Demand> layout_demand(const Comparison& row, const Plan& plan,
                                    const Measurements& measurements, const Policy& policy,
                                    std::uint64_t layout_seed, double budget_left);

/// ln(head/base) of the row's metric in each pair of relinked builds of the history.
std::vector<double> layout_differences(const Comparison& row, const Plan& plan,
                                       const Measurements& measurements, const Policy& policy);

/// The result of the relinked builds. The interval is that of the row's level a'; the label is
/// kLayoutEffect where it covers 0 and layout is what it takes to explain that: either the change
/// is gone (the interval of the plain level `alpha` excludes it), or moving the code alone scatters
/// the pairs, kScatters times as far as the row's own pairs. A machine so noisy that any interval
/// covers 0 gets no label. Nothing where there are too few differences for an interval.
std::optional<LayoutEffect> layout_effect(const Comparison& row,
                                          std::span<const double> differences, double alpha);
inline constexpr double kScatters = 2;

/// Why there is no label: the change stays when both are linked anew, or the builds do not decide.
Warning layout_note(const LayoutEffect& effect);

}  // namespace perf
