#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "schema/sample_set.h"

namespace perf::formats {

/// The series of a file while it is read: found again by benchmark, parameters and metric.
class SeriesList {
 public:
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
    }
    return list_[found->second];
  }
  bool empty() const { return list_.empty(); }
  std::vector<SampleSeries> take() { return std::move(list_); }

 private:
  std::map<std::tuple<std::string, Params, std::string>, std::size_t> at_;
  std::vector<SampleSeries> list_;
};

}  // namespace perf::formats
