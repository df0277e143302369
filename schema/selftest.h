#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/environment.h"
#include "schema/metric.h"
#include "schema/policy.h"
#include "schema/report.h"
#include "schema/revision.h"
#include "schema/text/words.h"
#include "schema/verdict.h"

namespace perf {

/// A planted change is this many times the threshold: clearly beyond it, but no more.
inline constexpr double kPlantedThresholds = 1.5;

/// The kind of change that a self-test plants at head.
enum class PlantKind { nothing, slowdown, allocation };

/// The word for it, also in the protocol's `plants`.
template <>
inline constexpr std::array<std::string_view, 3> kWords<PlantKind>{"nothing", "slowdown",
                                                                   "allocation"};

/// How: by a parameter that the workload announces, by stopping and continuing its process, or by
/// a preloaded library.
enum class PlantWay { none, parameter, stop_and_go, preload };

template <>
inline constexpr std::array<std::string_view, 4> kWords<PlantWay>{"none", "parameter",
                                                                  "stop_and_go", "preload"};

/// The change planted in one workload, or why none can be.
struct Plant {
  std::string workload;  ///< its name in the plan
  PlantKind kind = PlantKind::nothing;
  PlantWay way = PlantWay::none;
  double amount = 0;      ///< slowdown: share of a step's time; allocation: B
  double period = 0;      ///< s from one stop to the next; stop_and_go only
  std::string refused{};  ///< why it cannot be planted; empty when it can
};

/// The outcome of one verdict of a self-test.
enum class SelftestOutcome {
  passed,        ///< nothing planted, no alarm
  caught,        ///< planted, and called a regression
  missed,        ///< planted, and not called a regression
  false_alarm,   ///< nothing planted, and called a change
  refused,       ///< it could not be planted
  not_measured,  ///< no verdict came about
};

template <>
inline constexpr std::array<std::string_view, 6> kWords<SelftestOutcome>{
    "passed", "caught", "missed", "false_alarm", "refused", "not_measured"};

/// One verdict of a self-test, of a metric that should be unchanged, or one that should have
/// changed.
struct SelftestRow {
  Plant plant;           ///< what was planted
  std::string workload;  ///< as reports name it: the plan's name, or entry/child
  Metric metric;
  Verdict expected = Verdict::unchanged;
  std::optional<Verdict> verdict;  ///< null where refused
  std::optional<double> change;    ///< relative, head/base - 1
  std::optional<Interval> interval;
  double threshold = 0;
  int pairs = 0;
  double seconds = 0;  ///< s that the workload's invocations of this arm took
  SelftestOutcome outcome = SelftestOutcome::not_measured;
  std::string why{};                ///< one sentence, where the outcome needs one
  std::optional<Warning> reason{};  ///< why there is no verdict, as the report has it
};

/// The state of the gate, by all outcomes.
enum class GateState {
  works,     ///< everything planted was caught, and nothing else raised an alarm
  broken,    ///< something was missed, or raised a false alarm
  unproven,  ///< neither, but something could not be planted or measured
};

template <>
inline constexpr std::array<std::string_view, 3> kWords<GateState>{"works", "broken", "unproven"};

/// A finished self-test.
struct Selftest {
  std::vector<std::string> runs;  ///< ids in the store, one an arm
  std::string generated_at;       ///< UTC, ISO 8601
  std::string tool_version;
  Revision revision;
  Environment environment;
  std::string size;
  std::uint64_t seed = 0;
  Policy policy;
  double measured = 0;  ///< s
  bool interrupted = false;
  GateState state = GateState::unproven;
  std::vector<SelftestRow> rows;  ///< by arm: nothing, slowdown, allocation; then as reports sort
};

}  // namespace perf
