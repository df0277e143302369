#pragma once

#include <string>
#include <vector>

#include "collector/git/repository.h"
#include "schema/store/store.h"

namespace perf {

/// Full oids of the commits whose raw steps a change needs, of every size that the store holds.
/// Changes are the change points that are found now on HEAD's first-parent line, worse or better,
/// and the alerts that were shown there. In a change's series, in the order of the line, these are
/// the commits beside it, those measured between them since, and three measured ones on either
/// side; of an alert about a slope or a drift those at its ends. Throws UsageError where there is
/// no HEAD.
std::vector<std::string> commits_beside_changes(const Repository& repository, const Store& store);

}  // namespace perf
