#include "schema/formats/readers.h"

#include <optional>
#include <set>

#include "schema/error.h"
#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/magnitude.h"
#include "schema/formats/series_list.h"

namespace perf::formats {
namespace {

constexpr std::string_view kComplete = "benchmark-complete";

/// The benchmarks of criterion.rs while they are read.
struct CriterionSeries {
  SeriesList list;
  std::set<std::string> seen;
};

/// Adds a benchmark whose samples took `totals` of `unit` for `counts` iterations each, `offset` is
/// where its name stands. Throws JsonFault for what is no sample of it, and for a benchmark twice.
/// Returns its values per iteration.
std::vector<double> add_samples(const std::string& name, std::size_t offset,
                                const JsonValue& totals, const JsonValue& counts,
                                const std::string& unit, CriterionSeries& series) {
  if (name.empty()) {
    throw JsonFault{offset, "a benchmark whose name is empty"};
  }
  if (!series.seen.insert(name).second) {
    throw JsonFault{offset, "the benchmark " + in_quotes(name) + " stands twice"};
  }
  const JsonArray& measured = as_array(totals, "the list of measured values");
  const JsonArray& iterations = as_array(counts, "the list of iteration counts");
  if (measured.size() != iterations.size() || measured.empty()) {
    throw JsonFault{totals.offset, std::to_string(measured.size()) + " measured values for " +
                                       std::to_string(iterations.size()) + " iteration counts"};
  }
  const std::optional<double> seconds = seconds_in(unit);
  const Meaning meaning = seconds ? step_times(*seconds) : Meaning{{"value", unit, Better::lower}};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double count = measurable_amount(iterations[i], "an iteration count");
    if (count < 1) {
      throw JsonFault{iterations[i].offset, "a sample of no iteration"};
    }
    series.list.add(name, {}, meaning, measurable_amount(measured[i], "a measured value") / count);
  }
  return series.list.of(name, {}, meaning).values;
}

/// Adds the rate at which a benchmark of such step times, in seconds, processes `amount` of `what`
/// ("bytes", "elements") an iteration.
void add_rate(const std::string& name, double amount, const std::string& what,
              const std::vector<double>& seconds, CriterionSeries& series) {
  const std::string unit = what == "bytes" ? "B/s" : "1/s";
  std::vector<double> rates;
  for (const double value : seconds) {
    if (value < kShortestStep || !is_measurable(amount / value)) {
      return;
    }
    rates.push_back(amount / value);
  }
  series.list.of(name, {}, {{what + "_per_second", unit, Better::higher}}).values = rates;
}

/// One line that cargo-criterion printed.
void take_message(const JsonValue& root, CriterionSeries& series) {
  const JsonObject& message = as_object(root, "a message");
  if (text_field(message, "reason") != kComplete) {
    return;
  }
  const auto field = [&](std::string_view name) -> const JsonValue& {
    return required_field(message, root.offset, name, "a message");
  };
  const std::string& id = as_text(field("id"), "\"id\"");
  const std::string& unit = as_text(field("unit"), "\"unit\"");
  const std::vector<double> values = add_samples(id, field("id").offset, field("measured_values"),
                                                 field("iteration_count"), unit, series);
  const JsonValue* throughputs = optional_field(message, "throughput");
  if (throughputs == nullptr || !seconds_in(unit)) {
    return;
  }
  for (const JsonValue& one : as_array(*throughputs, "\"throughput\"")) {
    const JsonObject& throughput = as_object(one, "a throughput");
    const std::string what = text_field(throughput, "unit");
    const JsonValue* amount = optional_field(throughput, "per_iteration");
    if (amount != nullptr && (what == "bytes" || what == "elements")) {
      add_rate(id, measurable_amount(*amount, "\"per_iteration\""), what, values, series);
    }
  }
}

SampleSet finish(CriterionSeries& series, const std::string& source) {
  if (series.list.empty()) {
    throw UsageError("no benchmark", source + ":1",
                     "print results with cargo criterion --message-format=json, or cargo bench -- "
                     "--output-format bencher");
  }
  SampleSet set;
  set.source = source;
  set.series = series.list.take();
  return set;
}

SampleSet read_messages(std::string_view text, const std::string& filename) {
  CriterionSeries series;
  for (std::string_view rest = text; !rest.empty();) {
    // Other programs of the build print between the messages.
    const std::string_view line = trimmed(take_line(rest));
    if (!line.starts_with('{')) {
      continue;
    }
    try {
      take_message(read_foreign_json(line), series);
    } catch (const JsonFault& fault) {
      const auto begin = static_cast<std::size_t>(line.data() - text.data());
      throw UsageError(fault.what, place_of(text, begin + fault.offset, filename), fault.hint);
    } catch (const Fault& fault) {
      throw UsageError(fault.what, filename, fault.hint);
    }
  }
  return finish(series, filename);
}

/// What benchmark.json says.
struct Description {
  std::string name;
  std::string what;   ///< that an iteration processes: bytes, elements; empty: nothing
  double amount = 0;  ///< of it
};

Description read_description(const JsonValue& root) {
  const JsonObject& object = as_object(root, "the file");
  Description read;
  read.name = as_text(required_field(object, root.offset, "full_id", "the file"), "\"full_id\"");
  const JsonObject* throughput = field_as<JsonObject>(object, "throughput");
  if (throughput == nullptr) {
    return read;
  }
  for (const JsonMember& member : *throughput) {  // {"Bytes": 1024}, {"Elements": 12}
    const bool of_bytes = member.name == "Bytes" || member.name == "BytesDecimal";
    if (!of_bytes && member.name != "Elements") {
      continue;
    }
    read.what = of_bytes ? "bytes" : "elements";
    read.amount = measurable_amount(member.value, in_quotes(member.name));
  }
  return read;
}

void take_files(const CriterionFiles& files, CriterionSeries& series) {
  const Description described =
      read_json_document(files.benchmark, files.folder + "/benchmark.json", read_description);
  read_json_document(files.sample, files.folder + "/sample.json", [&](const JsonValue& root) {
    const JsonObject& sample = as_object(root, "the file");
    const std::vector<double> values = add_samples(
        described.name, root.offset, required_field(sample, root.offset, "times", "the file"),
        required_field(sample, root.offset, "iters", "the file"), "ns", series);
    if (!described.what.empty()) {
      add_rate(described.name, described.amount, described.what, values, series);
    }
  });
}

}  // namespace

SampleSet read_criterion(std::string_view text, const std::string& filename) {
  if (text.size() > kLargestText) {
    throw UsageError("more than 64 MiB", filename + ":1");
  }
  const bool is_json = trimmed(text, " \t\r\n").starts_with('{');
  return is_json ? read_messages(text, filename) : read_bencher_text(text, filename);
}

SampleSet read_criterion_files(const std::vector<CriterionFiles>& benchmarks,
                               const std::string& source) {
  CriterionSeries series;
  for (const CriterionFiles& files : benchmarks) {
    take_files(files, series);
  }
  return finish(series, source);
}

}  // namespace perf::formats
