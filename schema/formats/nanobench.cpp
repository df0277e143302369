#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kWantedRender =
    "write the file with bench.render(ankerl::nanobench::templates::json(), out)";

/// "TITLE/NAME", and what the benchmark was told of its input.
std::string name_of_result(const Entry& result) {
  std::string name = result.text("title") + "/" + result.text("name");
  const auto add = [&](std::string_view field, std::string_view unset) {
    const JsonValue* value = result.find(field);
    const std::string text = value == nullptr ? "" : fact_text(*value).value_or("");
    if (!text.empty() && text != unset) {
      name += "/" + std::string(field) + "=" + text;
    }
  };
  add("complexityN", "-1");
  add("batch", "1");
  return name;
}

void take_epochs(const Entry& result, SeriesList& list) {
  const std::string name = name_of_result(result);
  list.begin(name);
  for (const JsonValue& one : result.list("measurements")) {
    const Entry epoch(one, "a measurement");
    list.add(name, {}, step_times(), number_or_nan(epoch.at("elapsed"), "\"elapsed\""));
    for (const std::string counter : {"instructions", "cpucycles", "branchinstructions",
                                      "branchmisses", "pagefaults", "contextswitches"}) {
      const JsonValue* count = epoch.find(counter);
      if (count != nullptr) {
        list.add(name, {}, {{counter, "1", Better::lower}}, number_or_nan(*count, counter));
      }
    }
  }
  if (list.of(name, {}, step_times()).values.empty()) {
    list.add(name, {}, step_times(),
             number_or_nan(result.at("median(elapsed)"), "\"median(elapsed)\""));
  }
}

/// What the template pyperf() has of a benchmark: its title and the epochs.
void take_pyperf(const Entry& file, SeriesList& list) {
  const Entry metadata(file.at("metadata"), "\"metadata\"");
  const JsonValue* batch = metadata.find("inner_loops");
  const std::string loops = batch == nullptr ? "1" : fact_text(*batch).value_or("1");
  const std::string name = metadata.text("name") + (loops == "1" ? "" : "/batch=" + loops);
  for (const JsonValue& benchmark : file.list("benchmarks")) {
    for (const JsonValue& run : Entry(benchmark, "a benchmark").list("runs")) {
      for (const JsonValue& elapsed : Entry(run, "a run").list("values")) {
        list.add(name, {}, step_times(), number_or_nan(elapsed, "a value"));
      }
    }
  }
}

/// Where the system permits no counters, all of them are 0.
bool is_uncounted(const SampleSeries& series) {
  return series.metric != kStepTime &&
         std::ranges::all_of(series.values, [](double value) { return value == 0; });
}

}  // namespace

/// Reads what nanobench renders with its templates json() and pyperf() (version 4.3,
/// https://github.com/martinus/nanobench/blob/master/src/include/nanobench.h, "char const*
/// json()"). A benchmark is its title and name, with complexityN and batch where they are set; in
/// pyperf(), which renders one benchmark, its title and batch.
///
/// A value is an epoch: `elapsed`, seconds per iteration, becomes step_time, also where `batch`
/// says that an iteration does several operations. Counts per iteration are shown. The file names
/// neither machine nor commit.
Sessions read_nanobench(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    SeriesList list;
    const Entry file(root, "the file");
    if (file.find("results") == nullptr && file.find("metadata") != nullptr) {
      take_pyperf(file, list);
      return one_session(list.take());
    }
    for (const JsonValue& result : file.list("results")) {
      take_epochs({result, "a result"}, list);
    }
    std::erase_if(list.set.series, is_uncounted);
    return one_session(list.take());
  };
  return read_json_document(text, filename, read, kWantedRender);
}

}  // namespace perf::formats
