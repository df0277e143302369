#pragma once

#include <string>

#include "schema/collection.h"

namespace perf::samples {

/// Collections as the command makes them.
Collection collected_night();     ///< HEAD, one of two workloads fails
Collection collected_anchored();  ///< HEAD in pairs with a pin
Collection unbuilt_night();       ///< HEAD does not build
Collection collected_range();     ///< five commits, each with another end; the budget is spent

/// One in which every text is the given one.
Collection poisoned_collection(const std::string& text);

}  // namespace perf::samples
