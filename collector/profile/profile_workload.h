#pragma once

#include <filesystem>
#include <string_view>

#include "collector/process/process.h"
#include "schema/invocation.h"
#include "schema/profile.h"
#include "schema/workload.h"

namespace perf {

/// Samples per second and thread. A prime, so that the samples do not keep step with the program's
/// own rhythm.
inline constexpr int kSamplesPerSecond = 997;

/// Runs one invocation, as the WorkloadRunner does, under `perf record`: the software timer
/// cpu-clock, which machines without hardware counters have too, in user mode, children included.
/// Whatever keeps it from a profile is its `problem`, with what to try: no perf, no right to use
/// it, a workload that failed, no samples. Throws as the WorkloadRunner does. `root` holds proc/,
/// for the wording alone.
Profile profile_workload(const RunProcess& run_process, const Workload& workload,
                         const std::filesystem::path& directory, const Invocation& invocation,
                         const std::filesystem::path& root = "/");

/// Adds up what `perf script --no-demangle -F ip,sym,dso` prints, a sample a line:
///
///         55cd41a6e16f _ZN5model4stepEv (/home/me/bin/bench)
///
/// Lines of another shape are no samples. The names are a stranger's; they are taken as they are,
/// made valid UTF-8 on the way in (see captured_text.h).
Profile read_samples(std::string_view text);

}  // namespace perf
