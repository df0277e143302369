#pragma once

#include <cstddef>
#include <functional>

namespace perf {

/// Calls work(i) once for every i < count, on as many threads as the machine has processors. The
/// calls must not depend on each other; when it returns all are done. Throws what the call of the
/// smallest i that threw did.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace perf
