#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "ci/cli/session.h"
#include "collector/build/plan.h"
#include "collector/checkout.h"

namespace perf {

/// Both sides of a run built with a layout seed, gone from the cache with the object, but for a
/// build that failed: its failure names the log.
class RelinkedBuilds {
 public:
  /// Builds. What is not done by the deadline, by monotonic_seconds(), is ended and counts as
  /// interrupted. The session outlives the object. Throws Error where the cache cannot be written.
  RelinkedBuilds(const Session& session, const PlannedRun& run, std::uint64_t seed,
                 double deadline);
  ~RelinkedBuilds();
  RelinkedBuilds(const RelinkedBuilds&) = delete;
  RelinkedBuilds& operator=(const RelinkedBuilds&) = delete;

  const Checkouts& checkouts() const { return checkouts_; }
  bool usable() const { return checkouts_.base.failure.empty() && checkouts_.head.failure.empty(); }
  /// Which side could not be built, and why; empty where both are, or were interrupted.
  std::string failure() const;

 private:
  void discard(const std::string& oid, const std::optional<BuildCommand>& build) const;

  PlannedRun run_;
  std::filesystem::path folder_;
  Checkouts checkouts_;
};

}  // namespace perf
