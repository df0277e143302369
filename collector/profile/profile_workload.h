#pragma once

#include <filesystem>
#include <string_view>

#include "collector/process/process.h"
#include "schema/invocation.h"
#include "schema/profile.h"
#include "schema/workload.h"

namespace perf {

/// Samples per second and thread. A prime, so that sampling does not synchronize with the program.
inline constexpr int kSamplesPerSecond = 997;

/// Runs one invocation, as WorkloadRunner, under `perf record`: with the software timer cpu-clock,
/// which needs no hardware counters, in user mode, children included. `problem` of the profile: why
/// there is none, with what to try (no perf, no permission, a failed workload, no samples). Throws
/// as WorkloadRunner. `root` contains proc/, for the wording of the problem.
Profile profile_workload(const RunProcess& run_process, const Workload& workload,
                         const std::filesystem::path& directory, const Invocation& invocation,
                         const std::filesystem::path& root = "/");

/// Adds up the output of `perf script --no-demangle -F ip,sym,dso`, one sample a line:
///
///         55cd41a6e16f _ZN5model4stepEv (/home/me/bin/bench)
///
/// Other lines are ignored. Names are untrusted and kept as they are; they are valid UTF-8 already
/// (captured_text.h).
Profile read_samples(std::string_view text);

}  // namespace perf
