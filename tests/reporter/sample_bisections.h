#pragma once

#include "schema/bisection.h"

namespace perf::samples {

/// Bisections as the command makes them.
Bisection found_commit();       ///< of 64 commits, with a skipped one
Bisection found_among_three();  ///< two skipped commits beside it, not certain
Bisection unconfirmed_commit();
Bisection uncompared_commit();  ///< the last comparison failed
Bisection nothing_to_find();
Bisection stopped_bisection();  ///< by a signal, half way

/// One in which every text is the given one.
Bisection poisoned_bisection(const std::string& text);

}  // namespace perf::samples
