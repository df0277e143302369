#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/sample_set.h"

namespace perf::formats {

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

}  // namespace perf::formats
