#include "schema/formats/reading.h"
#include "schema/text/utc_time.h"

namespace perf::formats {
namespace {

Environment read_machine(const JsonObject& info) {
  Environment environment;
  // The first make timings incomparable, the others change without the machine.
  add_facts(info, {"machine", "processor", "system", "python_implementation"}, environment.machine);
  add_facts(info, {"node", "release", "python_compiler"}, environment.facts);
  add_fact(info, "python_version", "python_full_version", environment.facts);
  if (const std::string version = text_field(info, "python_version"); !version.empty()) {
    environment.machine["python_version"] = major_minor(version);
  }
  if (const JsonObject* cpu = field_as<JsonObject>(info, "cpu")) {
    add_fact(*cpu, "brand", "cpu", environment.machine);  // of py-cpuinfo before 6
    add_fact(*cpu, "brand_raw", "cpu", environment.machine);
    add_fact(*cpu, "count", "cpu_count", environment.machine);
  }
  fingerprint_by("cpu", environment);
  return environment;
}

/// Parameters of a test are of any type: text, numbers and truth values are kept, the test's name
/// tells the others apart. Of an object (pytest_benchmark/utils.py, SafeJSONEncoder) the text may
/// hold an address.
Params read_any_params(const JsonObject& benchmark) {
  Params params;
  for (const JsonMember& member : field_or_empty<JsonObject>(benchmark, "params")) {
    const std::optional<Param> param = param_of(member.value);
    const auto* text = param ? std::get_if<std::string>(&*param) : nullptr;
    const bool is_object = text != nullptr && text->starts_with("UNSERIALIZABLE[");
    if (param && !member.name.empty() && !is_object) {
      params[member.name] = *param;
    }
  }
  return params;
}

void take_test(const Entry& benchmark, SeriesList& list) {
  const JsonValue* fullname = benchmark.find("fullname");
  const std::string& name =
      as_name(fullname == nullptr ? benchmark.at("name") : *fullname, "benchmark");
  const Entry stats(benchmark.at("stats"), "\"stats\"");
  list.add_times(name, read_any_params(benchmark.object),
                 numbers_or_nan(stats.object, "data", "a round"), stats);
}

void read_commit(const JsonObject& info, ImportedSession& session) {
  session.commit = text_field(info, "id");
  if (is_true(info, "dirty")) {
    session.samples.warnings.push_back({WarningKind::uncommitted_changes});
  }
  add_fact(info, "branch", "branch", session.samples.environment.facts);
}

}  // namespace

/// Reads what pytest-benchmark writes under --benchmark-json=FILE and --benchmark-autosave
/// (version 4.0; https://pytest-benchmark.readthedocs.io). A benchmark is its fullname, its
/// parameters are `params`; one that comes again (pytest-repeat) has further rounds.
///
/// `stats.data`, seconds a round, becomes step_time; where it was not kept (without
/// --benchmark-save-data), the median of the summary, else its mean, is the one value, with a
/// warning; without these the benchmark failed. The commit is `commit_info.id`; a dirty tree is a
/// warning. The machine: processor, system and interpreter (its minor version) of `machine_info`;
/// its fingerprint needs the processor's brand.
Sessions read_pytest_benchmark(std::string_view text, const std::string& filename) {
  return read_json_document(text, filename, [](const JsonValue& root) {
    const Entry document(root, "the file");
    SeriesList series;
    series.remedy = "keep the rounds with --benchmark-save-data, or --benchmark-json";
    for (const JsonValue& benchmark : document.list("benchmarks")) {
      take_test({benchmark, "a benchmark"}, series);
    }
    ImportedSession session;
    session.samples = series.take();
    if (const JsonObject* machine = field_as<JsonObject>(document.object, "machine_info")) {
      session.samples.environment = read_machine(*machine);
    }
    if (const JsonObject* commit = field_as<JsonObject>(document.object, "commit_info")) {
      read_commit(*commit, session);
    }
    session.measured_at = utc_time(text_field(document.object, "datetime"));
    return Sessions{std::move(session)};
  });
}

}  // namespace perf::formats
