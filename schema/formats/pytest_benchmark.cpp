#include <array>
#include <set>
#include <utility>

#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/readers.h"
#include "schema/formats/series_list.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

/// Facts of machine_info that make timings incomparable.
constexpr std::array<std::string_view, 6> kPytestMachineKeys{
    "machine", "processor", "system", "release", "python_implementation", "python_version"};

Environment read_machine(const JsonObject& info) {
  Environment environment;
  for (const std::string_view key : kPytestMachineKeys) {
    add_fact(info, key, std::string(key), environment.machine);
  }
  add_fact(info, "node", "node", environment.facts);
  add_fact(info, "python_compiler", "python_compiler", environment.facts);
  if (const JsonObject* cpu = field_as<JsonObject>(info, "cpu")) {
    add_fact(*cpu, "brand", "cpu", environment.machine);  // of py-cpuinfo before 6
    add_fact(*cpu, "brand_raw", "cpu", environment.machine);
    add_fact(*cpu, "count", "cpu_count", environment.machine);
  }
  fingerprint_by("cpu", environment);
  return environment;
}

/// Parameters of a test are of any type: text, numbers and truth values are kept as they are,
/// others are told apart by the test's name.
Params read_any_params(const JsonObject& benchmark) {
  Params params;
  const JsonObject* given = field_as<JsonObject>(benchmark, "params");
  if (given == nullptr) {
    return params;
  }
  for (const JsonMember& member : *given) {
    const std::optional<Param> param = param_of(member.value);
    if (param && !member.name.empty()) {
      params[member.name] = *param;
    }
  }
  return params;
}

const std::string& test_name_of(const JsonObject& benchmark, std::size_t offset) {
  const JsonValue* fullname = optional_field(benchmark, "fullname");
  return as_name(
      fullname == nullptr ? required_field(benchmark, offset, "name", "a benchmark") : *fullname,
      "benchmark");
}

class PytestReader {
 public:
  void take(const JsonValue& entry) {
    const JsonObject& benchmark = as_object(entry, "a benchmark");
    const std::string& name = test_name_of(benchmark, entry.offset);
    if (!seen_.insert(name).second) {
      throw JsonFault{entry.offset, "the benchmark " + in_quotes(name) + " stands twice"};
    }
    const JsonValue& value = required_field(benchmark, entry.offset, "stats", "a benchmark");
    const JsonObject& stats = as_object(value, "\"stats\"");
    SampleSeries& series = series_.of(name, read_any_params(benchmark), step_times());
    series.values = measurable_amounts(stats, "data", "a round");
    if (series.values.empty()) {
      ++summaries_;
      series.values.push_back(measurable_amount(
          required_field(stats, value.offset, "median", "\"stats\""), "\"median\""));
    }
  }

  SampleSet finish(const JsonValue& benchmarks) {
    if (seen_.empty()) {
      throw JsonFault{benchmarks.offset, "no benchmark"};
    }
    if (summaries_ > 0) {
      set_.warnings.push_back({WarningKind::no_rounds, {{"benchmarks", summaries_}}});
    }
    set_.series = series_.take();
    return std::move(set_);
  }

 private:
  SampleSet set_;
  SeriesList series_;
  std::set<std::string> seen_;
  std::size_t summaries_ = 0;
};

void read_commit(const JsonObject& info, ImportedSession& session) {
  session.commit = text_field(info, "id");
  if (is_true(info, "dirty")) {
    session.samples.warnings.push_back({WarningKind::uncommitted_changes});
  }
  add_fact(info, "branch", "branch", session.samples.environment.facts);
}

}  // namespace

ImportedSession read_pytest_benchmark(std::string_view text, const std::string& filename) {
  return read_json_document(text, filename, [&](const JsonValue& root) {
    const JsonObject& document = as_object(root, "the file");
    const JsonValue& benchmarks = required_field(document, root.offset, "benchmarks", "the file");
    PytestReader reader;
    for (const JsonValue& entry : as_array(benchmarks, "\"benchmarks\"")) {
      reader.take(entry);
    }
    ImportedSession session;
    session.samples = reader.finish(benchmarks);
    session.samples.source = filename;
    if (const JsonObject* machine = field_as<JsonObject>(document, "machine_info")) {
      session.samples.environment = read_machine(*machine);
    }
    if (const JsonObject* commit = field_as<JsonObject>(document, "commit_info")) {
      read_commit(*commit, session);
    }
    session.measured_at = utc_time(text_field(document, "datetime"));
    return session;
  });
}

}  // namespace perf::formats
