#pragma once

#include "schema/profile.h"

namespace perf::samples {

/// One revision: a hot function of C++, one of a library, and 30 that hardly count.
ProfileReport profiled();
/// Two revisions, and what moved between them; a second workload could not be profiled.
ProfileReport profiled_twice();

}  // namespace perf::samples
