#pragma once

#include <map>
#include <string>
#include <vector>

namespace perf {

using Facts = std::map<std::string, std::string>;

/// Which facts are not what they were, as "blas_core: Haswell -> SkylakeX", sorted. A side's fact
/// is what more than half of it says; what changes from run to run, such as the load, has no such
/// value and is not told.
std::vector<std::string> changed_facts(const std::vector<const Facts*>& before,
                                       const std::vector<const Facts*>& after);

}  // namespace perf
