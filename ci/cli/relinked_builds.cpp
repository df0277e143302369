#include "ci/cli/relinked_builds.h"

#include <algorithm>

#include "ci/cli/interruption.h"
#include "collector/build/build_cache.h"
#include "collector/process/monotonic.h"
#include "schema/error.h"

namespace perf {
namespace {

/// What a process is given beyond the deadline, in seconds, so that it is known to be past by the
/// time the process is ended for it.
constexpr double kGrace = 0.1;

RunProcess run_until(const RunProcess& run_process, double deadline) {
  return [run_process, deadline](ProcessRequest request) {
    const double left = std::max(deadline - monotonic_seconds(), 0.0) + kGrace;
    request.timeout = request.timeout > 0 ? std::min(request.timeout, left) : left;
    return run_process(request);
  };
}

bool failed(const Checkout& checkout) {
  return !checkout.failure.empty() && !checkout.interrupted;
}

}  // namespace

RelinkedBuilds::RelinkedBuilds(const Session& session, const PlannedRun& run, std::uint64_t seed,
                               double deadline)
    : run_(run), folder_(build_cache_folder(environment_variable)) {
  run_.layout_seed = seed;
  checkouts_ =
      prepare(run_, session.repository, folder_, run_until(session.run_process, deadline), {},
              [deadline] { return interruption() != 0 || monotonic_seconds() >= deadline; });
}

RelinkedBuilds::~RelinkedBuilds() {
  const bool keep_base = failed(checkouts_.base), keep_head = failed(checkouts_.head);
  checkouts_ = {};
  if (!keep_base) {
    discard(run_.plan.base->oid, run_.base_build);
  }
  if (!keep_head) {
    discard(run_.plan.head.oid, run_.head_build);
  }
}

std::string RelinkedBuilds::failure() const {
  if (failed(checkouts_.head)) {
    return "head " + told(checkouts_.head);
  }
  return failed(checkouts_.base) ? "base " + told(checkouts_.base) : "";
}

void RelinkedBuilds::discard(const std::string& oid,
                             const std::optional<BuildCommand>& build) const {
  try {
    discard_build({oid, build, run_.plan.environment.fingerprint, run_.layout_seed}, folder_);
  } catch (const Error&) {
    // It stays in the cache until that is pruned.
  }
}

}  // namespace perf
