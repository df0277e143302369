#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/error.h"
#include "schema/invocation.h"
#include "schema/sample_set.h"

/// Benchmark results of other tools. docs/formats.md describes the formats, the table in
/// foreign.cpp lists them.
namespace perf::formats {

/// The names of the formats of `import`, and of a workload's `format`: google-benchmark, ...
const std::vector<std::string_view>& foreign_formats();

/// Reads text in the named format: its sessions in the order of the file, at least one. Throws
/// UsageError with file:line or file:line:column for malformed text, and for an unknown format.
std::vector<ImportedSession> read_foreign(std::string_view format, std::string_view text,
                                          const std::string& filename);

/// What a text is, by its content.
struct TextFormat {
  /// One of foreign_formats(), or one that only `judge` reads: "perf stat", "report", "cases".
  /// Empty: unknown.
  std::string_view name{};
  bool is_session = false;            ///< `judge` reads it as one; "cases" hold two
  std::optional<UsageError> fault{};  ///< why it is unknown
};
TextFormat format_of(std::string_view text, const std::string& filename = {});

/// Why a benchmark was skipped (SampleSet::skipped) whose name stands for several of a file.
inline constexpr std::string_view kAmbiguousName = "several benchmarks have this name";

/// The same of what cargo did not run, a benchmark or any test.
inline constexpr std::string_view kIgnored = "cargo ignored it";

/// How the reason of LostBenchmarks begins for a text without its end: it was cut off, or is what
/// somebody chose of it.
inline constexpr std::string_view kNoEnd = "the file has neither PASS nor FAIL";

/// How the failure of an imported run begins that lost benchmarks: it is called as what they are
/// in.
inline constexpr std::string_view kDidNotFinish = "did not finish: ";

/// Reads a file as one session, whatever its format; of the history of github-action-benchmark the
/// newest entry of each suite. Throws UsageError as read_foreign does.
ImportedSession read_one_session(std::string_view text, const std::string& filename);

/// The same without its commit and time.
SampleSet read_samples(std::string_view text, const std::string& filename);

/// The texts of `benchmark.json` and `sample.json`, which criterion.rs (0.5) leaves in a folder
/// `target/criterion/.../new`, and that folder.
struct CriterionFiles {
  std::string folder;
  std::string benchmark, sample;
};

/// Reads the benchmarks of one `target/criterion`. A value is a sample, times / iters nanoseconds;
/// the name is `full_id`. Throws UsageError.
ImportedSession read_criterion_files(const std::vector<CriterionFiles>& benchmarks,
                                     const std::string& source);

/// Reads one of asv's results with `results/benchmarks.json`, which has the names of parameters,
/// and the type and unit of benchmarks whose names do not tell them. Throws UsageError.
ImportedSession read_asv_results(std::string_view text, const std::string& filename,
                                 std::string_view benchmarks,
                                 const std::string& benchmarks_filename);

/// The bytes of a file that results name, beside them; nothing where it cannot be read.
using ReadBeside = std::function<std::optional<std::string>(const std::string& file)>;

/// Reads the results of NVBench with the samples that --jsonbin wrote beside them. Throws
/// UsageError.
ImportedSession read_nvbench_results(std::string_view text, const std::string& filename,
                                     const ReadBeside& read_beside);

/// The facts that a file states of its machine, as one text, `name=value` a line, in the order of
/// their names: the fingerprint of an imported machine.
std::string facts_text(const std::map<std::string, std::string>& facts);

/// A session as what one invocation measured.
struct ForeignBlocks {
  std::vector<Block> blocks;
  std::map<std::string, std::string> failures;  ///< workload name -> why it has no block
  std::vector<Warning> warnings;                ///< what was skipped or renamed
};

/// One block a benchmark (its name and parameters), in the order of the file: the values of its
/// step_time are timed steps, in seconds, of which there may be none; of its other metrics the
/// medians are metric values. A series that holds statistics in place of values counts as one
/// value, the median. Facts are those of the machine, 4 KiB of them.
///
/// The name of a workload is that of the benchmark, with its parameters where it shares its name,
/// and with a Go benchmark's package ahead, as workload_name.h spells it. Names that are then equal
/// end in a digest of what the file has, so that the order of a file does not matter.
/// Of a session that is imported, kForeignName and kForeignVersion are parameters.
ForeignBlocks blocks_of(const SampleSet& samples);

/// The same of a session, but its own blocks where it has some (`steps`). Metrics below 0 are
/// judged as well: a history has differences of them.
ForeignBlocks blocks_of(const ImportedSession& session);

// Parameters of foreign benchmarks: of Google Benchmark, JMH and BenchmarkDotNet.
inline constexpr const char* kExecutable = "executable";
inline constexpr const char* kArgumentsOfJava = "jvmArgs";
inline constexpr const char* kJob = "job";

/// Whether a parameter only says which program ran a benchmark, or how. It tells benchmarks of one
/// name apart; where each side has but one, old and new may be called so.
inline bool is_setting(std::string_view param) {
  return param == kExecutable || param == kArgumentsOfJava || param == kJob;
}

/// Gives the benchmarks of a session the names that blocks_of gives them.
void name_as_imported(SampleSet& samples);

/// How many benchmarks its series are of.
std::size_t benchmarks_in(const SampleSet& samples);

/// The output of an invocation in the named format, as its blocks. Throws Error, as readers do, for
/// malformed text (with `steps` its subject is "line N"), for a text of several sessions, for more
/// than kMostBlocks benchmarks, and where no benchmark has a value. A benchmark that failed or was
/// skipped beside others is a block without values, behind theirs, with the reason in 200 bytes.
std::vector<Block> read_foreign_blocks(std::string_view format, std::string_view text,
                                       const std::string& filename);

}  // namespace perf::formats
