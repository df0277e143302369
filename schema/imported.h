#pragma once

#include <string>
#include <vector>

#include "schema/invocation.h"
#include "schema/sample_set.h"

namespace perf {

/// One session that a file of somebody else's holds, and the commit that the file says it measured.
struct ImportedSession {
  std::string commit;       ///< full or abbreviated oid as the file has it; empty: it does not say
  std::string measured_at;  ///< UTC, ISO 8601 ("2026-01-31T12:00:00Z"); empty: it does not say
  SampleSet samples;  ///< with the facts it tells of its machine; see Environment::fingerprint
  /// What the protocol said, whole: phases, checks and warm-up, which samples do not hold. Other
  /// formats have none.
  std::vector<Block> blocks{};
};

}  // namespace perf
