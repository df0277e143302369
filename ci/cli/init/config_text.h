#pragma once

#include <map>
#include <string>

#include "ci/cli/init/proposal.h"

namespace perf {

/// A perf-compare.json of what was found, with comments that say where each part comes from. Reads
/// back through read_config whatever the names of files and targets hold: they stay texts of JSON,
/// and comments stay on their lines.
std::string render_config(const Proposal& proposal);

/// A config with a benchmark of its own, for commits that have none, as files by name: the config,
/// what builds the benchmark into a checkout, and an example of one.
std::map<std::string, std::string> outside_files(const SourceTree& tree);

}  // namespace perf
