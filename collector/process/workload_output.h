#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "collector/process/process.h"
#include "schema/invocation.h"
#include "schema/workload.h"

namespace perf {

/// A workload's output may be this big, in bytes (64 MiB), and hold so many values, by its commas,
/// lines, and openings of arrays and objects. What is larger is never read, so that a flood costs
/// no memory; what is not costs up to some times its size.
inline constexpr std::size_t kOutputLimit = std::size_t{64} << 20;
inline constexpr std::size_t kOutputValues = 1'000'000;

/// What a workload wrote, and why it cannot be read (empty when it can).
struct WrittenOutput {
  std::string text;
  std::string failure;
};

/// Reads a regular file of at most `limit` bytes (whole MiB) and `values`, never through a
/// symbolic link. `name`
/// is what messages call it. Throws Error where the disk fails.
WrittenOutput read_written(const std::filesystem::path& file,
                           const std::string& name = "PERF_COMPARE_OUT",
                           std::size_t limit = kOutputLimit, std::size_t values = kOutputValues);

/// How a workload tells what it measured.
enum class OutputWay {
  protocol,         ///< format `steps`: in the file PERF_COMPARE_OUT
  standard_output,  ///< a foreign format
  named_file,       ///< a foreign format, where an argument contains {out}
  nothing,          ///< format `process`: it is timed from outside
};

/// Throws UsageError for a format that nobody reads.
OutputWay output_way(const Workload& workload);

/// Puts the file's name in place of each {out}; other ways leave their arguments as they are.
void name_output(OutputWay way, const std::filesystem::path& file,
                 std::vector<std::string>& command);

/// The files of one invocation, in its temporary folder.
struct OutputFiles {
  std::filesystem::path out;              ///< PERF_COMPARE_OUT, and {out}
  std::filesystem::path standard_output;  ///< kept whole where output_way says so; else empty
};

/// What is wrong where one of the files is larger than kOutputLimit: a process is killed for that.
/// Empty where none is.
std::string too_large(OutputWay way, const OutputFiles& files);

/// Takes what an invocation measured into its blocks; the answer is what is wrong with it, empty
/// when nothing is. Of standard output that was kept in a file, the end goes into the process's
/// result. `process`: the block of a process that ended well has one step, its wall time, and
/// user_time and system_time beside it.
std::string take_output(const Workload& workload, OutputWay way, const OutputFiles& files,
                        Invocation& invocation);

}  // namespace perf
