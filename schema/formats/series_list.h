#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "schema/sample_set.h"

namespace perf::formats {

/// More than anybody measures. A line that gives a name or a package once may stand for any number
/// of series, so the size of a text does not bound what they take.
inline constexpr std::size_t kMostSeries = 100'000;
inline constexpr std::size_t kMostNameBytes = std::size_t{8} << 20;  ///< with their parameters

/// What SeriesList refuses; a reader adds the place.
struct TooManySeries {
  std::string what = "more than 100,000 series, or 8 MiB of their names and parameters";
  std::string hint = "give parts of the benchmarks a file each";
};

/// The series of a file while it is read: found again by benchmark, parameters and metric.
class SeriesList {
 public:
  /// Throws TooManySeries.
  SampleSeries& of(const std::string& name, const Params& params, const Metric& metric,
                   bool judge) {
    const auto [found, is_first] = at_.try_emplace({name, params, metric.name}, list_.size());
    if (is_first) {
      SampleSeries series;
      series.name = name;
      series.params = params;
      series.metric = metric;
      series.judge = judge;
      list_.push_back(std::move(series));
      count_bytes(list_.back());
    }
    return list_[found->second];
  }
  bool empty() const { return list_.empty(); }
  std::vector<SampleSeries> take() { return std::move(list_); }

 private:
  void count_bytes(const SampleSeries& series) {
    bytes_ += series.name.size() + series.metric.name.size();
    for (const auto& [name, value] : series.params) {
      bytes_ += name.size() + to_text(value).size();
    }
    if (bytes_ > kMostNameBytes || list_.size() > kMostSeries) {
      throw TooManySeries();
    }
  }

  std::size_t bytes_ = 0;
  std::map<std::tuple<std::string, Params, std::string>, std::size_t> at_;
  std::vector<SampleSeries> list_;
};

}  // namespace perf::formats
