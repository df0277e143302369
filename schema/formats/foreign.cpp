#include "schema/formats/foreign.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "schema/formats/reading.h"
#include "schema/formats/steps.h"
#include "schema/text/nearest_name.h"

namespace perf::formats {

// One a format, each in a file of its own.
FormatReader read_google_benchmark, read_hyperfine, read_pytest_benchmark, read_criterion,
    read_go_benchmark, read_asv, read_github_action_benchmark, read_step_sessions, read_perf_stat,
    read_newest_action_entries, read_report_sessions, read_jmh, read_benchmarkdotnet, read_catch2,
    read_nanobench;

namespace {

/// The beginning of a text, by which its format is recognized: the keys of the JSON text, or of the
/// first line of JSON Lines.
struct Beginning {
  std::string_view text;  ///< without blanks ahead
  bool is_json = false;
  JsonObject top{};      ///< empty where it is not a JSON object
  bool is_list = false;  ///< `top` is its first element

  bool has(std::string_view name) const { return find_member(top, name) != nullptr; }
  bool says(std::string_view name, std::string_view word) const {
    return text_field(top, name).starts_with(word);
  }
  /// Whether that name has a list of which the first object has this member.
  bool lists(std::string_view name, std::string_view member) const {
    const JsonArray* list = field_as<JsonArray>(top, name);
    const JsonObject* first =
        list == nullptr || list->empty() ? nullptr : std::get_if<JsonObject>(&list->front().data);
    return first != nullptr && find_member(*first, member) != nullptr;
  }
};

using Text = const Beginning&;

enum class Use { import_only, judge_only, both };

struct Format {
  std::string_view name;
  FormatReader* read;
  /// How `judge` recognizes it; where none is given, it never does.
  bool (*fits)(Text text);
  Use use = Use::both;
};

/// A new format: its reader above, and a row here. docs/formats.md and config.schema.json name it
/// too; tests compare them.
constexpr std::array<Format, 16> kFormats{{
    {"perf stat", read_perf_stat, [](Text text) { return text.has("counter-value"); },
     Use::judge_only},
    {"data.js", read_newest_action_entries,
     [](Text text) {
       return text.has("entries") || text.text.starts_with("window.BENCHMARK_DATA");
     },
     Use::judge_only},
    {"report", read_report_sessions,
     [](Text text) { return text.says("schema", "perf-compare/report/"); }, Use::judge_only},
    {"cases", nullptr, [](Text text) { return text.has("cases"); }, Use::judge_only},
    {"google-benchmark", read_google_benchmark,
     [](Text text) { return text.has("benchmarks") && !text.has("machine_info"); }},
    {"nanobench", read_nanobench,
     [](Text text) { return text.lists("results", "median(elapsed)"); }},
    {"hyperfine", read_hyperfine,
     [](Text text) { return text.has("results") && !text.has("result_columns"); }},
    {"pytest-benchmark", read_pytest_benchmark,
     [](Text text) { return text.has("benchmarks") && text.has("machine_info"); }},
    {"jmh", read_jmh, [](Text text) { return text.is_list && text.has("primaryMetric"); }},
    {"benchmarkdotnet", read_benchmarkdotnet,
     [](Text text) { return text.has("HostEnvironmentInfo") && text.has("Benchmarks"); }},
    {"catch2", read_catch2,
     [](Text text) {
       return text.text.starts_with('<') && (text.text.find("<Catch2TestRun") != text.text.npos ||
                                             text.text.find("<Catch ") != text.text.npos);
     }},
    {"criterion", read_criterion,
     [](Text text) { return text.has("reason") || (!text.is_json && is_bencher_text(text.text)); }},
    {"go", read_go_benchmark,
     [](Text text) { return !text.is_json && text.text.find("Benchmark") != text.text.npos; }},
    {"asv", read_asv, [](Text text) { return text.has("result_columns"); }},
    {"github-action-benchmark", read_github_action_benchmark, nullptr, Use::import_only},
    {"steps", read_step_sessions, [](Text text) { return text.says("type", "begin"); },
     Use::import_only},
}};

JsonObject object_in(std::string_view text) {
  try {
    JsonValue root = read_foreign_json(text);
    JsonArray* list = std::get_if<JsonArray>(&root.data);
    JsonValue& first = list == nullptr || list->empty() ? root : list->front();
    JsonObject* object = std::get_if<JsonObject>(&first.data);
    return object == nullptr ? JsonObject() : std::move(*object);
  } catch (const JsonFault&) {
    return {};
  }
}

Beginning beginning_of(std::string_view text) {
  text = trimmed(text, " \t\r\n");
  Beginning beginning{text, text.starts_with('{') || text.starts_with('['), object_in(text),
                      text.starts_with('[')};
  if (beginning.top.empty()) {
    // perf stat writes "# started on ..." ahead of its counters.
    std::string_view lines =
        text.substr(text.starts_with('#') ? std::min(text.find('{'), text.size()) : 0);
    beginning.top = object_in(take_line(lines));
  }
  return beginning;
}

/// nullptr: unknown.
const Format* recognized(const Beginning& text) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const Format& format) { return format.fits != nullptr && format.fits(text); });
  return found == kFormats.end() ? nullptr : &*found;
}

Sessions read_as(const Format& format, std::string_view text, const std::string& filename) {
  if (text.size() > kLargestText) {
    throw UsageError("more than 64 MiB", filename + ":1", "split the file");
  }
  Sessions sessions = format.read(text, filename);
  for (ImportedSession& session : sessions) {
    session.samples.source = filename;
    keep_usable(session.samples);
  }
  return sessions;
}

/// Sessions of several machines have none in common.
ImportedSession as_one(Sessions sessions) {
  SampleSet& all = sessions.front().samples;
  for (std::size_t i = 1; i < sessions.size(); ++i) {
    all.environment = {};
    SampleSet& one = sessions[i].samples;
    std::ranges::move(one.series, std::back_inserter(all.series));
    std::ranges::move(one.warnings, std::back_inserter(all.warnings));
    all.failures.merge(one.failures);
    all.skipped.merge(one.skipped);
  }
  return std::move(sessions.front());
}

constexpr std::size_t kLongestReason = 200;  ///< bytes

}  // namespace

const std::vector<std::string_view>& foreign_formats() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> imported;
    for (const Format& format : kFormats) {
      if (format.use != Use::judge_only) {
        imported.push_back(format.name);
      }
    }
    return imported;
  }();
  return names;
}

std::vector<ImportedSession> read_foreign(std::string_view format, std::string_view text,
                                          const std::string& filename) {
  const auto found = std::ranges::find_if(kFormats, [&](const Format& known) {
    return known.name == format && known.use != Use::judge_only;
  });
  if (found == kFormats.end()) {
    throw UsageError("unknown format", in_quotes(format), instead_of(format, foreign_formats()));
  }
  return read_as(*found, text, filename);
}

std::string_view format_of(std::string_view text) {
  const Format* format = recognized(beginning_of(text));
  return format == nullptr ? std::string_view() : format->name;
}

bool is_session(std::string_view text) {
  const Format* format = recognized(beginning_of(text));
  return format != nullptr && format->read != nullptr && format->use != Use::import_only;
}

ImportedSession read_one_session(std::string_view text, const std::string& filename) {
  const Beginning beginning = beginning_of(text);
  const Format* format = recognized(beginning);
  if (format == nullptr) {  // these readers describe what they expect
    return as_one(read_foreign(beginning.is_json ? "google-benchmark" : "go", text, filename));
  }
  if (format->use == Use::import_only) {
    throw UsageError(
        "judge does not read this format", filename + ": " + std::string(format->name),
        "import it: perf-compare import " + std::string(format->name) + " " + filename);
  }
  if (format->read == nullptr) {
    throw UsageError("a file of cases holds both sides", filename,
                     "perf-compare judge " + filename);
  }
  return as_one(read_as(*format, text, filename));
}

SampleSet read_samples(std::string_view text, const std::string& filename) {
  return read_one_session(text, filename).samples;
}

std::vector<Block> read_foreign_blocks(std::string_view format, std::string_view text,
                                       const std::string& filename) {
  if (format == "steps") {
    return read_steps(text);
  }
  Sessions sessions = read_foreign(format, text, filename);
  if (sessions.size() > 1) {
    throw Error("a text of " + std::to_string(sessions.size()) + " sessions", filename,
                "print one session per invocation");
  }
  SampleSet& samples = sessions.front().samples;
  const std::size_t skipped = samples.skipped.size();
  samples.failures.merge(samples.skipped);
  if (benchmarks_in(samples) + samples.failures.size() > kMostBlocks) {
    throw Error("more than 10,000 benchmarks", filename, "run a part of them at a time");
  }
  ForeignBlocks found = blocks_of(samples);
  const bool none_measured = found.blocks.empty() && found.failures.size() > skipped;
  if (none_measured) {
    throw Error("a benchmark failed: " + in_quotes(found.failures.begin()->second),
                found.failures.begin()->first);
  }
  if (found.blocks.empty()) {
    throw Error("no benchmark has a value", filename);
  }
  for (const auto& [name, why] : found.failures) {
    Block& block = found.blocks.emplace_back();
    block.workload = name;
    block.skipped = first_line(why.substr(0, character_start(why, kLongestReason)));
  }
  return std::move(found.blocks);
}

}  // namespace perf::formats
