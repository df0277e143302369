#pragma once

#include <string>

#include "ci/cli/init/proposal.h"

namespace perf {

/// A perf-compare.json of what was found, with comments that say where each part comes from. Reads
/// back through read_config whatever the names of files and targets hold: they stay texts of JSON,
/// and comments stay on their lines.
std::string render_config(const Proposal& proposal);

}  // namespace perf
