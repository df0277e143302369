#pragma once

#include <vector>

#include "analyzer/trend/common_noise.h"
#include "analyzer/trend/internal.h"
#include "schema/trend.h"

namespace perf {

/// A step of the last 30 nights in what most series of a machine share. It is one event, though no
/// series may show it by itself:
/// - the detector finds it in their common noise, which is a series like any other: noise that the
///   series have in common is in it whole
/// - it is sudden: the means of 4 nights before and after it differ by more than any such means
///   elsewhere are expected to, by their own deviation and a t-like allowance, and by 4 standard
///   errors of these nights; so that a common walk is no step
/// - it lasts for 3 nights, and 4 more for each night before that was an outlier as far as it:
///   common slow nights are no step
/// - 60 % of the series, of three workloads at least, moved in its direction by half of the median
///   or more, and by no more than twice that within their errors
/// An event of fewer series within 8 commits, in its direction, is that one; near another one it is
/// none. The series that moved get a change point of the
/// event, in place of their own that does not stand beside it. Needs events found and steps moved
/// to borders; keeps them sorted.
void find_common_steps(MeasuredLine& measured, const SearchedLine& line, const CommonNoise& common,
                       std::vector<MachineEvent>& events);

}  // namespace perf
