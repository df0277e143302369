#pragma once

#include <string>
#include <vector>

namespace perf {

/// So many commits of a program tell its level, and that it stays where it is.
inline constexpr int kCommitsOfProgram = 3;

/// Which commits of a line are to be measured of one workload, so that every stretch of neighbours
/// with one program is measured at three of them, or at all where it has no more. Those chosen are
/// the farthest from all that are measured: of a stretch where none is, the first, the last and the
/// one in the middle. `ids`, by commit: equal where the program is; empty: not known, which is
/// equal to nothing. `measured`: those that were measured before; none of them is chosen.
std::vector<bool> commits_to_measure(const std::vector<std::string>& ids,
                                     const std::vector<bool>& measured);

}  // namespace perf
