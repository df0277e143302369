#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "schema/formats/json_value.h"
#include "schema/param.h"

namespace perf::formats {

/// What asv calls the type of a benchmark, which says what its numbers are.
enum class AsvType { time, memory, peak_memory, track };

/// By the first word of the last part of its name: "suite.Sort.time_sort" is `time`.
AsvType asv_type_of(std::string_view name);

/// What benchmarks.json says of a benchmark.
struct AsvBenchmark {
  AsvType type = AsvType::track;
  std::string unit;
  std::vector<std::string> param_names;
};

/// Reads results/benchmarks.json; entries it cannot make sense of are left out. Throws JsonFault
/// where the text is no object.
std::map<std::string, AsvBenchmark> read_asv_benchmarks(const JsonValue& root);

/// All combinations of parameters, the last one fastest, as asv orders its results; one without
/// parameters where there are none. Throws JsonFault for anything but lists of texts, and for more
/// than `most` combinations.
std::vector<std::vector<std::string>> asv_combinations(const JsonValue* params, std::size_t most);

/// "sort(10, 'a')", as asv prints it.
std::string asv_display_name(const std::string& name, const std::vector<std::string>& values);

/// The values by their names, or by param1, param2, ... where those are not known.
Params asv_params(const std::vector<std::string>& values, const std::vector<std::string>& names);

}  // namespace perf::formats
