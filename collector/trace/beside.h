#pragma once

#include <map>
#include <string>

#include "collector/trace/program.h"

namespace perf {

/// A changed file in whose place another was asked for: another shard, a file that another seed
/// chooses. What is opened stands for those of its folder and suffix, and of its name in the
/// folders beside; whatever is asked for, for those that only digits tell apart; a script that is
/// executed and has no suffix, for programs only. `asked`: by the path below the checkouts, in how
/// many ways (Asked). Empty: none.
std::string changed_beside(const std::map<std::string, unsigned>& asked, const TracedTree& base,
                           const TracedTree& head);

/// What stands for all that may take the place of what was asked for, in one tree: where it is the
/// same in two, and all that was asked for is, changed_beside finds nothing.
std::string state_beside(const std::map<std::string, unsigned>& asked, const TracedTree& tree);

}  // namespace perf
