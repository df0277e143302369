#pragma once

#include <set>
#include <string>
#include <vector>

#include "schema/formats/json_value.h"
#include "schema/formats/series_list.h"

namespace perf::formats {

/// The benchmarks of criterion.rs while they are read.
struct CriterionSeries {
  SeriesList list;
  std::set<std::string> seen;
};

/// Adds a benchmark whose samples took `totals` of `unit` for `counts` iterations each, `offset` is
/// where its name stands. Throws JsonFault for what is no sample of it, and for a benchmark twice.
/// Returns its values per iteration.
std::vector<double> add_criterion_samples(const std::string& name, std::size_t offset,
                                          const JsonValue& totals, const JsonValue& counts,
                                          const std::string& unit, CriterionSeries& series);

/// Adds the rate at which a benchmark of such step times, in seconds, processes `amount` of `what`
/// ("bytes", "elements") an iteration.
void add_criterion_rate(const std::string& name, double amount, const std::string& what,
                        const std::vector<double>& seconds, CriterionSeries& series);

}  // namespace perf::formats
