#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "reporter/trend/series.h"
#include "reporter/trend/series_history.h"
#include "schema/trend.h"

namespace perf::reporter {

/// The histories of a report, to be drawn. Refers to the report, which must outlive it.
class Histories {
 public:
  explicit Histories(const TrendReport& report);

  /// Of one of the report's series.
  SeriesHistory of(const TrendSeries& series) const;

  /// Which series are of the same quantity on other machines: indices into the report's, those
  /// with the most points first, at most `kBeside`.
  std::vector<std::size_t> beside(const TrendSeries& series) const;
  static constexpr std::size_t kBeside = 8;

  /// Indices into the report's machine events: those of the machine of the series.
  std::vector<std::size_t> events_of(const TrendSeries& series) const;
  HistorySpan event(std::size_t index) const;

  /// Baselines that are pinned to commits that were measured.
  const std::vector<HistorySign>& pins() const { return pins_; }

  const SeriesNames& names() const { return names_; }
  const TrendReport& report() const { return report_; }

  /// Where a commit stands on the line; 0 for an index beyond the report's commits.
  double position(std::size_t commit) const;

 private:
  /// Workload, params, metric, outside.
  using Quantity = std::tuple<std::string, std::string, std::string, std::string>;

  static Quantity quantity_of(const TrendSeries& series);
  void find_pins();
  void find_days();
  void add_points(const TrendSeries& series, std::vector<HistoryPoint>& points) const;
  void add_machines(const TrendSeries& series, SeriesHistory& history) const;
  void add_pins(const TrendSeries& series, SeriesHistory& history) const;

  const TrendReport& report_;
  SeriesNames names_;
  std::map<Quantity, std::vector<std::size_t>> machines_;  ///< series of a quantity as measured
  std::vector<HistorySign> pins_, days_;
};

/// Adds the levels between change points, as the medians of the points shown, up to the slope at
/// the end.
void add_levels(const Histories& histories, const TrendSeries& series, SeriesHistory& history);

/// Adds the change points of a series and its open suspects.
void add_marks(const Histories& histories, const TrendSeries& series, SeriesHistory& history);

}  // namespace perf::reporter
