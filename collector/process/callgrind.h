#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "collector/process/process.h"

namespace perf {

/// A process under callgrind gets this many times its time: counting is about 50 times slower, but
/// takes fewer steps.
inline constexpr double kCountingSlowdown = 20;

/// Runs every process under `valgrind --tool=callgrind`, descendants included, and puts the number
/// of instructions that they executed into the result, in place of the processor's. The processor
/// that valgrind emulates has no AVX-512, so that where this one has it, OpenBLAS is told to take
/// its Haswell kernels; OpenMP and OpenBLAS get one thread, because how long threads wait for each
/// other is never the same twice; and dynamic programs read a clock that goes on by as much at each
/// reading (counted_clock.c), because the digits of a time that is printed are never the same twice
/// either. `folder` gets callgrind's files, and is the caller's to remove;
/// `root` holds proc/. Timeouts are as the request says.
RunProcess under_callgrind(RunProcess run_process, std::filesystem::path folder,
                           std::filesystem::path root = "/");

/// The instructions (Ir) in all of a process, from what callgrind wrote (its manual, chapter
/// "Callgrind Format Specification", the `totals` line); absent where it was cut short.
std::optional<std::int64_t> instructions_in(std::string_view callgrind_output);

/// Throws Error, with the package to install, where valgrind cannot be run.
void require_callgrind(const RunProcess& run_process);

}  // namespace perf
