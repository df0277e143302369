#pragma once

#include <string>
#include <vector>

#include "reporter/document.h"

namespace perf::reporter {

/// A sentence as plain text on one line, for outputs that know no emphasis: everything in it can be
/// seen, long names and texts are shortened. Not escaped for any output.
std::string plain_prose(const Prose& prose);

/// Several, joined by "; ".
std::string plain_sentences(const std::vector<Prose>& sentences);

}  // namespace perf::reporter
