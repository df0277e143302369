#pragma once

#include <cstddef>
#include <optional>

#include "analyzer/trend/common_noise.h"
#include "analyzer/trend/internal.h"
#include "analyzer/trend/trend_series.h"

namespace perf {

/// How a series moved at a common step.
struct SeriesMove {
  MeasuredSeries* measured = nullptr;
  std::size_t begin = 0, index = 0, end = 0;  ///< points [begin, index) and [index, end)
  double shift = 0, error = 0;                ///< of ln
  std::optional<std::size_t> misplaced{};     ///< own step that is this one, as far as it shows
};

/// nullopt: it was not measured on both sides, or has too few values there.
std::optional<SeriesMove> move_at(MeasuredSeries& measured, const CommonStep& step);

/// Whether it moved in the direction of all (a difference of ln) and about as far.
bool agrees(const SeriesMove& move, double common);

ChangePoint change_point_of(const SeriesMove& move, const SearchedLine& line);

}  // namespace perf
