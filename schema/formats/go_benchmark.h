#pragma once

#include <string>
#include <string_view>

#include "schema/sample_set.h"

namespace perf::formats {

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

}  // namespace perf::formats
