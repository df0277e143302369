#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "collector/process/process.h"
#include "schema/invocation.h"
#include "schema/workload.h"

namespace perf {

/// The limits of a workload's output: bytes (64 MiB) and values, by its commas, lines, and openings
/// of arrays and objects. Larger output is never read, so that it costs no memory; other output
/// costs a few times its size.
inline constexpr std::size_t kOutputLimit = std::size_t{64} << 20;
inline constexpr std::size_t kOutputValues = 1'000'000;

/// A workload's output; `failure`: why it cannot be read, empty on success.
struct WrittenOutput {
  std::string text;
  std::string failure;
};

/// Reads a regular file of at most `limit` bytes (whole MiB) and `values`, never through a symbolic
/// link. `name`: for messages. Throws Error where the disk fails.
WrittenOutput read_written(const std::filesystem::path& file,
                           const std::string& name = "PERF_COMPARE_OUT",
                           std::size_t limit = kOutputLimit, std::size_t values = kOutputValues);

/// How a workload reports its measurements.
enum class OutputWay {
  protocol,         ///< format `steps`: in the file PERF_COMPARE_OUT
  standard_output,  ///< a foreign format
  named_file,       ///< a foreign format, where an argument contains {out}
  nothing,          ///< format `process`: it is timed from outside
};

/// Throws UsageError for an unknown format.
OutputWay output_way(const Workload& workload);

/// Replaces each {out} by the file's name, for the way `named_file`.
void name_output(OutputWay way, const std::filesystem::path& file,
                 std::vector<std::string>& command);

/// The files of one invocation, in its temporary folder.
struct OutputFiles {
  std::filesystem::path out;              ///< PERF_COMPARE_OUT, and {out}
  std::filesystem::path standard_output;  ///< for the way `standard_output`; else empty
  int port = 0;  ///< of a server; where they contain localhost:PORT, {port} is read
};

/// The failure of a process that was killed because a file is larger than kOutputLimit; else empty.
std::string too_large(OutputWay way, const OutputFiles& files);

/// Reads the measurements of an invocation into its blocks; returns a failure, or an empty text.
/// The end of standard output kept in a file is copied to the process's result. Format `process`:
/// the block of a successful process has one step, its wall time, with user_time and system_time.
std::string take_output(const Workload& workload, OutputWay way, const OutputFiles& files,
                        Invocation& invocation);

}  // namespace perf
