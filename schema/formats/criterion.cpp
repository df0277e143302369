#include "schema/formats/criterion.h"

#include <utility>
#include <variant>

#include "schema/error.h"
#include "schema/formats/bencher_text.h"
#include "schema/formats/criterion_sample.h"
#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/text_lines.h"
#include "schema/formats/unit_size.h"

namespace perf::formats {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;  ///< B
constexpr std::string_view kComplete = "benchmark-complete";

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
  const std::vector<double> values = add_criterion_samples(
      id, field("id").offset, field("measured_values"), field("iteration_count"), unit, series);
  const JsonValue* throughputs = optional_field(message, "throughput");
  if (throughputs == nullptr || !seconds_in(unit)) {
    return;
  }
  for (const JsonValue& one : as_array(*throughputs, "\"throughput\"")) {
    const JsonObject& throughput = as_object(one, "a throughput");
    const std::string what = text_field(throughput, "unit");
    const JsonValue* amount = optional_field(throughput, "per_iteration");
    if (amount != nullptr && (what == "bytes" || what == "elements")) {
      add_criterion_rate(id, measurable_amount(*amount, "\"per_iteration\""), what, values, series);
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
  for (const TextLine& line : lines_of(text)) {
    // Other programs of the build print between the messages.
    if (line.text.empty() || line.text.front() != '{') {
      continue;
    }
    try {
      take_message(read_json(mask_non_numbers(line.text), JsonLimits{.large_integers = true}),
                   series);
    } catch (const JsonFault& fault) {
      throw UsageError(fault.what, place_of(text, line.offset + fault.offset, filename),
                       fault.hint);
    } catch (const TooManySeries& fault) {
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
  const JsonValue* given = optional_field(object, "throughput");
  const JsonObject* throughput = given == nullptr ? nullptr : std::get_if<JsonObject>(&given->data);
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
      read_document(files.benchmark, files.folder + "/benchmark.json", read_description);
  read_document(files.sample, files.folder + "/sample.json", [&](const JsonValue& root) {
    const JsonObject& sample = as_object(root, "the file");
    const std::vector<double> values = add_criterion_samples(
        described.name, root.offset, required_field(sample, root.offset, "times", "the file"),
        required_field(sample, root.offset, "iters", "the file"), "ns", series);
    if (!described.what.empty()) {
      add_criterion_rate(described.name, described.amount, described.what, values, series);
    }
  });
}

}  // namespace

SampleSet read_criterion(std::string_view text, const std::string& filename) {
  if (text.size() > kLargestFile) {
    throw UsageError("more than 64 MiB", filename + ":1");
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') {
    return read_messages(text, filename);
  }
  return read_bencher_text(text, filename);
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
