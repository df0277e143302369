#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/trend/trend_series.h"
#include "schema/policy.h"
#include "schema/recorded_history.h"
#include "schema/revision.h"

namespace perf {

/// What a series is searched against.
struct SearchedLine {
  const RecordedHistory& recorded;
  const std::vector<Revision>& line;
  const std::vector<std::uint32_t>& positions;  ///< of the measured commits on the line
  const Policy& policy;
  std::string options;  ///< of the commands to confirm: size and place
};

/// The oid of a measured commit.
const std::string& oid_of(const SearchedLine& line, std::uint32_t commit);

/// How many commits of the line lie after a measured one, up to a later one.
int commits_between(const SearchedLine& line, std::uint32_t previous, std::uint32_t commit);

/// Finds what there is in a series: its noise, change points, suspects and slope. On the linear
/// scale (scale_of) a step's change is its difference in units of |the level before|; steps from a
/// level of 0 have none: they are counted and left out.
void search(MeasuredSeries& measured, const SearchedLine& line);

}  // namespace perf
