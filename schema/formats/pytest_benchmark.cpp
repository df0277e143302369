#include "schema/formats/pytest_benchmark.h"

#include <array>
#include <set>
#include <utility>
#include <variant>

#include "schema/formats/facts_text.h"
#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/series_list.h"
#include "schema/formats/utc_time.h"

namespace perf::formats {
namespace {

/// Facts of machine_info that make timings incomparable.
constexpr std::array<std::string_view, 6> kPytestMachineKeys{
    "machine", "processor", "system", "release", "python_implementation", "python_version"};

const JsonObject* object_field(const JsonObject& object, std::string_view name) {
  const JsonMember* member = find_member(object, name);
  return member == nullptr ? nullptr : std::get_if<JsonObject>(&member->value.data);
}

Environment read_machine(const JsonObject& info) {
  Environment environment;
  for (const std::string_view key : kPytestMachineKeys) {
    add_fact(info, key, std::string(key), environment.machine);
  }
  add_fact(info, "node", "node", environment.facts);
  add_fact(info, "python_compiler", "python_compiler", environment.facts);
  if (const JsonObject* cpu = object_field(info, "cpu")) {
    add_fact(*cpu, "brand", "cpu", environment.machine);  // of py-cpuinfo before 6
    add_fact(*cpu, "brand_raw", "cpu", environment.machine);
    add_fact(*cpu, "count", "cpu_count", environment.machine);
  }
  if (environment.machine.count("cpu") > 0) {
    environment.fingerprint = facts_text(environment.machine);
  }
  return environment;
}

/// Parameters of a test are of any type: text, numbers and truth values are kept as they are,
/// others are told apart by the test's name.
Params read_any_params(const JsonObject& benchmark) {
  Params params;
  const JsonObject* given = object_field(benchmark, "params");
  if (given == nullptr) {
    return params;
  }
  for (const JsonMember& member : *given) {
    if (member.name.empty()) {
      continue;
    }
    if (const bool* truth = std::get_if<bool>(&member.value.data)) {
      params[member.name] = *truth;
    } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&member.value.data)) {
      params[member.name] = *integer;
    } else if (const double* number = std::get_if<double>(&member.value.data)) {
      params[member.name] = *number;
    } else if (const std::string* text = std::get_if<std::string>(&member.value.data)) {
      params[member.name] = *text;
    }
  }
  return params;
}

const std::string& name_of(const JsonObject& benchmark, std::size_t offset) {
  const JsonValue* value = optional_field(benchmark, "fullname");
  if (value == nullptr) {
    value = &required_field(benchmark, offset, "name", "a benchmark");
  }
  const std::string& name = as_text(*value, "the name of a benchmark");
  if (name.empty()) {
    throw JsonFault{value->offset, "a benchmark whose name is empty"};
  }
  return name;
}

class PytestReader {
 public:
  void take(const JsonValue& entry);
  SampleSet finish(const JsonValue& benchmarks);

 private:
  SampleSet set_;
  SeriesList series_;
  std::set<std::string> seen_;
  std::size_t summaries_ = 0;
};

void PytestReader::take(const JsonValue& entry) {
  const JsonObject& benchmark = as_object(entry, "a benchmark");
  const std::string& name = name_of(benchmark, entry.offset);
  if (!seen_.insert(name).second) {
    throw JsonFault{entry.offset, "the benchmark " + in_quotes(name) + " stands twice"};
  }
  const JsonValue& value = required_field(benchmark, entry.offset, "stats", "a benchmark");
  const JsonObject& stats = as_object(value, "\"stats\"");
  SampleSeries& series = series_.of(name, read_any_params(benchmark), kStepTime, true);
  if (const JsonValue* data = optional_field(stats, "data")) {
    for (const JsonValue& round : as_array(*data, "\"data\"")) {
      series.values.push_back(measurable_amount(round, "a round"));
    }
  }
  if (series.values.empty()) {
    ++summaries_;
    series.values.push_back(measurable_amount(
        required_field(stats, value.offset, "median", "\"stats\""), "\"median\""));
  }
}

SampleSet PytestReader::finish(const JsonValue& benchmarks) {
  if (seen_.empty()) {
    throw JsonFault{benchmarks.offset, "no benchmark"};
  }
  if (summaries_ > 0) {
    set_.warnings.push_back(std::to_string(summaries_) +
                            (summaries_ == 1 ? " benchmark holds" : " benchmarks hold") +
                            " no rounds: their median counts as the one value; keep the rounds "
                            "with --benchmark-save-data, or --benchmark-json");
  }
  set_.series = series_.take();
  return std::move(set_);
}

void read_commit(const JsonObject& info, ImportedSession& session) {
  session.commit = text_field(info, "id");
  const JsonMember* dirty = find_member(info, "dirty");
  const bool* truth = dirty == nullptr ? nullptr : std::get_if<bool>(&dirty->value.data);
  if (truth != nullptr && *truth) {
    session.samples.warnings.push_back("the tree had changes that are in no commit");
  }
  add_fact(info, "branch", "branch", session.samples.environment.facts);
}

}  // namespace

ImportedSession read_pytest_benchmark(std::string_view text, const std::string& filename) {
  return read_document(text, filename, [&](const JsonValue& root) {
    const JsonObject& document = as_object(root, "the file");
    const JsonValue& benchmarks = required_field(document, root.offset, "benchmarks", "the file");
    PytestReader reader;
    for (const JsonValue& entry : as_array(benchmarks, "\"benchmarks\"")) {
      reader.take(entry);
    }
    ImportedSession session;
    session.samples = reader.finish(benchmarks);
    session.samples.source = filename;
    if (const JsonObject* machine = object_field(document, "machine_info")) {
      session.samples.environment = read_machine(*machine);
    }
    if (const JsonObject* commit = object_field(document, "commit_info")) {
      read_commit(*commit, session);
    }
    session.measured_at = utc_time(text_field(document, "datetime"));
    return session;
  });
}

}  // namespace perf::formats
