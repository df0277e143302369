#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr const char* kCriterionHint =
    "print results with cargo criterion --message-format=json, or cargo bench -- "
    "--output-format bencher";

/// What an iteration processes: an amount of "bytes" or "elements"; empty: unknown.
struct Throughput {
  std::string what;
  double amount = 0;
};

/// The rate at which a benchmark of such step times, in seconds, processes it.
void add_rate(const std::string& name, const Throughput& throughput,
              const std::vector<double>& seconds, SeriesList& series) {
  std::vector<double> rates;
  for (const double value : seconds) {
    if (value < kShortestStep || !is_measurable(throughput.amount / value)) {
      return;
    }
    rates.push_back(throughput.amount / value);
  }
  const std::string unit = throughput.what == "bytes" ? "B/s" : "1/s";
  series.of(name, {}, {{throughput.what + "_per_second", unit, Better::higher}}).values = rates;
}

/// Adds a benchmark whose samples took `totals` of `unit` for `counts` iterations each; `offset` is
/// the place of its name. Throws JsonFault.
void add_samples(const std::string& name, std::size_t offset, const JsonValue& totals,
                 const JsonValue& counts, const std::string& unit,
                 const std::vector<Throughput>& throughputs, SeriesList& series) {
  if (name.empty()) {
    throw JsonFault{offset, "the name of a benchmark is empty"};
  }
  series.begin(name);
  const JsonArray& measured = as_array(totals, "the list of measured values");
  const JsonArray& iterations = as_array(counts, "the list of iteration counts");
  if (measured.size() != iterations.size() || measured.empty()) {
    throw JsonFault{totals.offset, std::to_string(measured.size()) + " measured values for " +
                                       std::to_string(iterations.size()) + " iteration counts"};
  }
  const std::optional<double> seconds = seconds_in(unit);
  const Meaning meaning = per_iteration(unit);
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const double count = number_or_nan(iterations[i], "an iteration count");
    const double value = number_or_nan(measured[i], "a measured value");
    series.add(name, {}, meaning, count >= 1 ? value / count : std::nan(""));
  }
  const std::vector<double> values = series.of(name, {}, meaning).values;
  for (const Throughput& throughput : throughputs) {
    if (seconds) {
      add_rate(name, throughput, values, series);
    }
  }
}

/// One line that cargo-criterion printed.
void take_message(const Entry& message, SeriesList& series) {
  if (text_field(message.object, "reason") != "benchmark-complete") {
    return;
  }
  std::vector<Throughput> throughputs;
  const JsonValue* given = message.find("throughput");
  if (given != nullptr && seconds_in(text_field(message.object, "unit"))) {
    for (const JsonValue& one : as_array(*given, "\"throughput\"")) {
      const Entry throughput(one, "a throughput");
      const std::string what = text_field(throughput.object, "unit");
      const JsonValue* amount = throughput.find("per_iteration");
      if (amount != nullptr && (what == "bytes" || what == "elements")) {
        throughputs.push_back({what, measurable_amount(*amount, "\"per_iteration\"")});
      }
    }
  }
  const std::string& name = message.text("id");
  add_samples(name, message.at("id").offset, message.at("measured_values"),
              message.at("iteration_count"), message.text("unit"), throughputs, series);
}

void take_files(const CriterionFiles& files, SeriesList& series) {
  std::string name;
  std::vector<Throughput> throughputs;
  read_json_document(files.benchmark, files.folder + "/benchmark.json", [&](const JsonValue& root) {
    const Entry benchmark(root, "the file");
    name = benchmark.text("full_id");
    for (const JsonMember& member : field_or_empty<JsonObject>(benchmark.object, "throughput")) {
      const bool is_bytes = member.name == "Bytes" || member.name == "BytesDecimal";
      if (is_bytes || member.name == "Elements") {  // {"Bytes": 1024}, {"Elements": 12}
        throughputs = {{is_bytes ? "bytes" : "elements",
                        measurable_amount(member.value, in_quotes(member.name))}};
      }
    }
  });
  read_json_document(files.sample, files.folder + "/sample.json", [&](const JsonValue& root) {
    const Entry sample(root, "the file");
    add_samples(name, root.offset, sample.at("times"), sample.at("iters"), "ns", throughputs,
                series);
  });
}

Sessions finished(SeriesList& series, const std::string& source) {
  return with_places("", source, [&] { return one_session(series.take(0, kCriterionHint)); });
}

}  // namespace

/// Reads benchmarks written with criterion.rs, in either of two forms, told apart by content:
///
/// - `cargo criterion --message-format=json` (cargo-criterion 1.1,
///   https://bheisler.github.io/criterion.rs/book/cargo_criterion/external_tools.html): one JSON
///   object a line, of which those with the reason benchmark-complete count. A value is a sample:
///   measured_values / iteration_count.
/// - `cargo bench -- --output-format bencher`, see bencher_text.cpp, without such objects: with
///   --message-format=json other ones of cargo stand between.
///
/// Values in a unit of time become step_time, in seconds; those of another measurement (cycles) the
/// metric `value` in that unit. What one
/// iteration processes becomes bytes_per_second or elements_per_second, shown only. The text names
/// neither commit nor machine.
Sessions read_criterion(std::string_view text, const std::string& filename) {
  if (text.find("\"benchmark-complete\"") == text.npos) {
    return read_bencher_text(text, filename);
  }
  SeriesList series;
  note_end_of_cargo(text, series.set);
  for_each_json_line(text, filename, "", [&](const JsonValue& root) {
    take_message({root, "a message"}, series);
  });
  return finished(series, filename);
}

ImportedSession read_criterion_files(const std::vector<CriterionFiles>& benchmarks,
                                     const std::string& source) {
  SeriesList series;
  for (const CriterionFiles& files : benchmarks) {
    take_files(files, series);
  }
  Sessions sessions = finished(series, source);
  sessions.front().samples.source = source;
  keep_usable(sessions.front().samples);
  return std::move(sessions.front());
}

}  // namespace perf::formats
