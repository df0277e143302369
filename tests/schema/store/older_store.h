#pragma once

#include <filesystem>
#include <vector>

#include "schema/store/internal.h"

namespace perf::example {

/// The version before the first that there is, and a migration of the tests' own that makes today's
/// of it: nobody's store needs one yet, and the day that one does it must not fail.
const std::vector<store::Migration>& steps_from_older();

/// A store of that version, with one run, of which an invocation has so many steps.
void make_older_store(const std::filesystem::path& file, int steps);

/// Opens a store as a program would that has that migration; it need not be there.
void open_older_store(const std::filesystem::path& file);

}  // namespace perf::example
