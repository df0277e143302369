#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"

namespace perf::reporter {

/// Takes out of the rows what many of them say alike, to be said once, with the number of rows.
std::vector<Prose> take_shared_remarks(std::vector<Row>& rows);

}  // namespace perf::reporter
