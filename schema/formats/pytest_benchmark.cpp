#include <array>

#include "schema/formats/reading.h"
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

/// Parameters of a test are of any type: text, numbers and truth values are kept, the test's name
/// tells the others apart.
Params read_any_params(const JsonObject& benchmark) {
  Params params;
  if (const JsonObject* given = field_as<JsonObject>(benchmark, "params")) {
    for (const JsonMember& member : *given) {
      const std::optional<Param> param = param_of(member.value);
      if (param && !member.name.empty()) {
        params[member.name] = *param;
      }
    }
  }
  return params;
}

/// Returns whether it has the median of its rounds alone.
bool take_test(const Entry& benchmark, SeriesList& list) {
  const JsonValue* fullname = benchmark.find("fullname");
  const std::string& name =
      as_name(fullname == nullptr ? benchmark.at("name") : *fullname, "benchmark");
  list.begin(name, benchmark.offset);
  const Entry stats(benchmark.at("stats"), "\"stats\"");
  SampleSeries& series = list.of(name, read_any_params(benchmark.object), step_times());
  series.values = measurable_amounts(stats.object, "data", "a round");
  const bool is_summary = series.values.empty();
  if (is_summary) {
    series.values.push_back(stats.amount("median"));
  }
  return is_summary;
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
/// parameters are `params`.
///
/// `stats.data`, seconds a round, becomes step_time; where it was not kept (without
/// --benchmark-save-data), the median of the summary is the one value, with a warning. The commit
/// is `commit_info.id`; a dirty tree is a warning. The machine: processor, system, kernel and
/// interpreter of `machine_info`; its fingerprint needs the processor's brand.
Sessions read_pytest_benchmark(std::string_view text, const std::string& filename) {
  return read_json_document(text, filename, [](const JsonValue& root) {
    const Entry document(root, "the file");
    SeriesList series;
    std::size_t summaries = 0;
    for (const JsonValue& benchmark : document.list("benchmarks")) {
      summaries += take_test({benchmark, "a benchmark"}, series) ? 1 : 0;
    }
    if (summaries > 0) {
      series.set.warnings.push_back({WarningKind::no_rounds, {{"benchmarks", summaries}}});
    }
    ImportedSession session;
    session.samples = series.take(document.at("benchmarks").offset);
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
