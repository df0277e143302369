#include "ci/cli/store_path.h"

namespace perf {

std::filesystem::path store_path(const Options& options, const Repository& repository) {
  if (!options.db.empty())
    return options.db;
  return repository.workdir() / ".perf-compare" / "results.db";
}

}  // namespace perf
