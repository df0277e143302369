#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/param.h"
#include "schema/text/words.h"

namespace perf {

/// Identifies a series along history.
struct SeriesKey {
  std::string workload;  ///< the series' name: the entry's, or entry/child
  Params params{};
  std::string metric;
  std::string fingerprint;  ///< of the machine; empty: anchored
  std::string anchor{};     ///< full oid it was paired with; empty: values as measured
  std::string outside{};    ///< as of Workload: another benchmark is another series
  /// The one host that measured it, where that differs from others of its fingerprint; else empty.
  std::string host{};

  auto operator<=>(const SeriesKey&) const = default;
};

/// What an alert is about.
enum class AlertKind {
  step,   ///< a change point
  slope,  ///< a trend over the last points
  drift,  ///< away from a pinned baseline, whatever the steps
};

/// The word for it in the store and in JSON.
template <>
inline constexpr std::array<std::string_view, 3> kWords<AlertKind>{"step", "slope", "drift"};

/// What may happen to an alert after it was first shown.
enum class AlertNews {
  seen,       ///< first shown: where every alert begins
  confirmed,  ///< an A/B run called it a regression
  refuted,    ///< an A/B run proved the two commits alike
  recovered,  ///< shown as back at the level of before
  withdrawn,  ///< shown as gone: later points did not confirm it
  // What people decided, with a reason.
  acknowledged,  ///< somebody works on it
  ignored,       ///< accepted: a price paid on purpose, or a false alarm
  fixed,         ///< fixed by a later commit
};

template <>
inline constexpr std::array<std::string_view, 8> kWords<AlertNews>{
    "seen", "confirmed", "refuted", "recovered", "withdrawn", "acknowledged", "ignored", "fixed"};

/// One entry in the life of an alert.
struct AlertEvent {
  AlertNews news = AlertNews::seen;
  std::string at;        ///< UTC, ISO 8601
  std::string run_id{};  ///< of the comparison that confirmed or refuted it; else empty
  std::string author{};  ///< of a decision; empty: not known
  std::string reason{};  ///< of a decision; else empty

  bool is_decision() const { return news >= AlertNews::acknowledged; }
};

/// Bytes of the longest reason.
inline constexpr std::size_t kLongestReason = 1000;

/// A worsening that was reported, as an alert or as part of a machine event.
struct Alert {
  std::string id;  ///< globally unique
  SeriesKey series;
  AlertKind kind = AlertKind::step;
  std::string previous_oid;  ///< last commit before it; drift: the baseline's
  std::string oid;           ///< first commit after it; drift and slope: the last when first shown
  std::string baseline{};    ///< drift: the name of the pin; else empty
  double change = 0;         ///< relative, when first shown
  /// In order, `seen` first; none: it was shown as part of a machine event only.
  std::vector<AlertEvent> events{};
};

/// The last decision about an alert, if any. It does not depend on the order in which stores were
/// merged: at equal times the content decides.
inline std::optional<AlertEvent> decision_about(const Alert& alert) {
  const auto rank = [](const AlertEvent& event) {
    return std::tie(event.at, event.news, event.author, event.reason);
  };
  std::optional<AlertEvent> latest;
  for (const AlertEvent& event : alert.events) {
    if (event.is_decision() && (!latest || rank(*latest) < rank(event))) {
      latest = event;
    }
  }
  return latest;
}

}  // namespace perf
