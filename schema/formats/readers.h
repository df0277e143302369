#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/formats/series_list.h"
#include "schema/sample_set.h"

/// One reader a format of others, each with a file of its own. foreign.h and sample_files.h choose
/// among them.
namespace perf::formats {

/// Reads what a Google Benchmark program writes under --benchmark_format=json or --benchmark_out
/// (https://github.com/google/benchmark/blob/main/docs/user_guide.md, "Output Formats"). Each
/// repetition is a value; mean, median, stddev and the like are left out, so is a repetition that
/// was skipped or reported an error; a benchmark of which every repetition did stands in
/// `skipped` or in `failures`.
///
/// real_time becomes step_time, in seconds; cpu_time is reported beside it, so are items_per_second
/// and bytes_per_second, which repeat it, and counters, whose direction the file does not tell.
/// allocs_per_iter and max_bytes_used of a memory manager are judged.
///
/// The context's number of CPUs, caches and build type of the library are the machine; with the
/// host's name they are its fingerprint. (mhz_per_cpu is measured and differs from run to run.)
///
/// Throws UsageError with file:line:column for anything else: no "benchmarks", a repetition
/// without name, time or known time_unit, negative times, more than the limits of read_json. NaN
/// and infinities, which the library writes although JSON has none, count as no value.
SampleSet read_google_benchmark(std::string_view text, const std::string& filename);

/// Reads what `hyperfine --export-json FILE` writes (1.15, and the fields that
/// newer versions added;
/// https://github.com/sharkdp/hyperfine/blob/master/src/benchmark/benchmark_result.rs). A benchmark
/// is a result: its command and its parameters.
///
/// `times` become step_time, in seconds, one a run; where they are not exported, the median of the
/// summary stands for them. `memory_usage_byte` becomes memory_usage, judged; `user` and `system`,
/// means over all runs, are shown. A command of which a run did not exit with 0 (which hyperfine
/// accepts under --ignore-failure) is a failure. Of the machine the file tells nothing.
///
/// Throws UsageError with file:line:column for anything else: no "results", a result without a
/// command or times, a time that is negative or of no measurable magnitude, a command twice with
/// the same parameters.
SampleSet read_hyperfine(std::string_view text, const std::string& filename);

/// Reads what pytest-benchmark writes under --benchmark-json=FILE and --benchmark-autosave
/// (version 4.0; https://pytest-benchmark.readthedocs.io). A benchmark is its fullname, its
/// parameters are `params`.
///
/// `stats.data`, seconds a round, becomes step_time; where it was not kept (--benchmark-save-data
/// was not given), the median of the summary is the one value, and a warning says of how many. The
/// commit is `commit_info.id`; a dirty tree is a warning. The machine: processor, system, kernel
/// and interpreter out of `machine_info`; its fingerprint needs the processor's brand.
///
/// Throws UsageError with file:line:column for anything else: no "benchmarks", a benchmark without
/// name or stats, times that are negative or of no measurable magnitude, a fullname twice.
ImportedSession read_pytest_benchmark(std::string_view text, const std::string& filename);

/// Reads what benchmarks written with criterion.rs print, in either of two forms, told apart by
/// content:
///
/// - `cargo criterion --message-format=json` (cargo-criterion 1.1,
///   https://bheisler.github.io/criterion.rs/book/cargo_criterion/external_tools.html): one JSON
///   object a line, of which those with the reason benchmark-complete count. A value is a sample:
///   measured_values / iteration_count.
/// - `cargo bench -- --output-format bencher`, which is also what `cargo bench` prints of
///   #[bench] functions: `test NAME ... bench: 1,234 ns/iter (+/- 56)`. It holds one value, a
///   median. A test that FAILED is a failure; other lines are passed over.
///
/// Values in a unit of time become step_time, in seconds; those of another measurement (cycles) the
/// metric `value` in that unit, not judged, because nobody says which direction is good. What one
/// iteration processes becomes bytes_per_second or elements_per_second, shown only. The text tells
/// neither commit nor machine.
///
/// Throws UsageError with file:line:column or file:line for a message or result line that is off
/// its form, a benchmark twice, times that are negative or of no measurable magnitude, and a text
/// without a benchmark.
SampleSet read_criterion(std::string_view text, const std::string& filename);

/// What criterion.rs (0.5) leaves of one benchmark: the texts of `benchmark.json` and
/// `sample.json` in a folder `target/criterion/.../new`, and that folder.
struct CriterionFiles {
  std::string folder;
  std::string benchmark, sample;
};

/// Reads the benchmarks of one `target/criterion`. A value is a sample, times / iters nanoseconds;
/// the name is `full_id`. Throws UsageError as read_criterion does.
SampleSet read_criterion_files(const std::vector<CriterionFiles>& benchmarks,
                               const std::string& source);

/// Whether a text has a line `test NAME ... bench: `.
bool is_bencher_text(std::string_view text);

/// Reads the second form of read_criterion.
SampleSet read_bencher_text(std::string_view text, const std::string& filename);

/// Reads what `go test -bench` prints, the Go benchmark data format
/// (https://go.googlesource.com/proposal/+/master/design/14313-benchmark-format.md): `key: value`
/// lines that hold from there on, result lines `BenchmarkName-8  N  123 ns/op  45 B/op ...`, and
/// `Unit custom better=higher` lines. A benchmark that is repeated (`-count`) has its values in
/// order. All other lines are passed over; one that begins as a result and is none is told in
/// `warnings`.
///
/// ns/op and sec/op become step_time, B/op bytes_per_op, allocs/op allocs_per_op, MB/s
/// bytes_per_second; other units keep their text as name, higher is better where it ends in /s or
/// a Unit line says so. Judged are step_time, bytes_per_op, allocs_per_op and what a Unit line
/// gives a direction. `pkg` becomes a parameter, goos, goarch and cpu the machine.
///
/// Throws UsageError with file:line for a result line that is cut off, a number that is none,
/// nothing or too large or small, a unit twice in a line, results of two machines in one file, bad
/// UTF-8, more than 64 MiB, and a file without a result.
SampleSet read_go_benchmark(std::string_view text, const std::string& filename);

/// A text beside the one that is read, and its name; empty where there is none.
struct SecondText {
  std::string_view text{};
  std::string filename{};
};

/// Reads what airspeed velocity keeps of one commit and environment,
/// `results/MACHINE/COMMIT-ENVIRONMENT.json` (api version 2;
/// https://github.com/airspeed-velocity/asv/blob/main/asv/results.py). A benchmark of which
/// parameters were tried is one benchmark each: `module.time_x(10, 'a')`, with `param1`, `param2`
/// as its parameters.
///
/// `time_*` become step_time, in seconds: the samples where they were kept (--record-samples), else
/// the result, which is their median. `mem_*` become object_size, `peakmem_*` peak_memory, in
/// bytes, judged. Of `track_*` nobody knows unit or direction: metric `value`, shown only. A result
/// that is null is a failure, one that is NaN was skipped: a warning.
///
/// The commit is commit_hash; all `params` are the machine, the versions of what it was built
/// against among them, and make up the fingerprint, as asv itself tells its series apart.
///
/// `benchmarks`, the text of `results/benchmarks.json`, tells the names of parameters, and the type
/// and unit of a benchmark where its name does not.
///
/// Throws UsageError with file:line:column for anything else: another version, no results, more or
/// fewer results than parameters, times that are negative or of no measurable magnitude.
ImportedSession read_asv(std::string_view text, const std::string& filename,
                         const SecondText& benchmarks = {});

/// What a result of github-action-benchmark is, by the tool and the unit that stand beside it.
struct ActionMeaning : Meaning {
  bool inverse_is_time = false;  ///< 1 / the rate is the mean time of an iteration
};

ActionMeaning action_meaning_of(std::string_view tool, std::string_view unit);

/// Reads the `data.js` of github-action-benchmark (version 1;
/// https://github.com/benchmark-action/github-action-benchmark), `window.BENCHMARK_DATA = {...}`,
/// and its `external-data-json-path`, which is that object alone. Each entry of a suite is a
/// session of one commit; a benchmark's name is SUITE/NAME, and one that stands twice in an entry
/// becomes NAME_2.
///
/// A result is one value, a mean or median by its tool. Times, per iteration or not (ns/iter, ms,
/// us/op), become step_time, in seconds; pytest's iter/sec and benchmark.js' ops/sec, which are 1 /
/// mean time, step_time and ops_per_second. Other rates become ops_per_second or bytes_per_second,
/// higher is better; Go's B/op and allocs/op what read_go_benchmark calls them. All
/// else is the metric `value` in its unit (bytes where that is one of size): judged where the tool
/// is customBiggerIsBetter or customSmallerIsBetter, which say what is good. The file tells no
/// machine.
///
/// Throws UsageError with file:line:column for anything else: no "entries", an entry without commit
/// or benches, a result without name, value or unit, a time that is negative, values of no
/// measurable magnitude, and a file without an entry. A value that is null is a failure.
std::vector<ImportedSession> read_github_action_benchmark(std::string_view text,
                                                          const std::string& filename);

/// The same of a file as one session: the newest entry, which is the last, of each suite.
SampleSet read_newest_action_entries(std::string_view text, const std::string& filename);

/// Whether a text begins as what `perf stat -j` writes.
bool is_perf_stat(std::string_view text);

/// Reads what `perf stat -j` prints, JSON Lines of a counter each (perf 6.1): a counter's values in
/// order, one a run that was appended (`-o FILE --append`), all of the one benchmark `perf stat`.
/// `duration_time` becomes step_time; other events keep their names, times in seconds, less is
/// better. Judged are times, cycles and instructions. With `-r` a line holds the mean of the runs,
/// one value. What was not counted and lines that are no JSON ("# started on ...") are passed over.
///
/// Throws UsageError with file:line for a line that is off this form, a value of no measurable
/// magnitude, counters of less than a run (-I, -A, --per-...), and where nothing was counted.
SampleSet read_perf_stat(std::string_view text, const std::string& filename);

}  // namespace perf::formats
