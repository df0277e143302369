#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/invocation.h"
#include "schema/sample_set.h"

namespace perf::formats {

/// The words for what can be imported, and be the `format` of a workload: google-benchmark,
/// hyperfine, pytest-benchmark, criterion, go, asv, github-action-benchmark, steps. What each of
/// them reads is docs/formats.md.
const std::vector<std::string_view>& foreign_formats();

/// Reads text in the named format: its sessions in the order of the file, at least one. Throws
/// UsageError with file:line or file:line:column for what is off the format, and for a format that
/// is not known.
std::vector<ImportedSession> read_foreign(std::string_view format, std::string_view text,
                                          const std::string& filename);

/// A session as what one invocation measured.
struct ForeignBlocks {
  std::vector<Block> blocks;
  std::map<std::string, std::string> failures;  ///< workload name -> why it has no block
  std::vector<Warning> warnings;                ///< what was passed over or renamed
};

/// One block a benchmark (its name and parameters), in the order of the file: the values of its
/// step_time are timed steps, in seconds, of which there may be none; of its other metrics the
/// medians are metric values. A series that holds statistics in place of values counts as one
/// value, the median. A benchmark with a time that is no step (1e-15 to 1e9 s) is a failure. Facts
/// are those of the machine, 4 KiB of them.
///
/// Names become names of workloads: characters outside of [A-Za-z0-9._/-] become _, as do dots and
/// dashes that may not stand where they do; what is too long is cut; of names that then are the
/// same the second gets _2, the third _3.
ForeignBlocks blocks_of(const SampleSet& samples);

/// How many benchmarks its series are of.
std::size_t benchmarks_in(const SampleSet& samples);

/// The same of a session, but its own blocks where it has some (`steps`).
ForeignBlocks blocks_of(const ImportedSession& session);

/// What an invocation printed in the named format, as its blocks. Throws Error, as readers do, for
/// what is off the format (with `steps` its subject is "line N"), for a text of several sessions,
/// for one of more than kMostBlocks benchmarks, and for one of which none has a value. A benchmark
/// that failed or was skipped beside others is a block without values, behind theirs, that says why
/// in 200 bytes; one whose name others have makes the text a failed one.
std::vector<Block> read_foreign_blocks(std::string_view format, std::string_view text,
                                       const std::string& filename);

}  // namespace perf::formats
