#include "schema/formats/foreign.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "schema/formats/reading.h"
#include "schema/formats/steps.h"
#include "schema/formats/surroundings.h"
#include "schema/text/nearest_name.h"
#include "schema/text/plain_text.h"

namespace perf::formats {

// One a format, each in a file of its own.
FormatReader read_google_benchmark, read_hyperfine, read_pytest_benchmark, read_criterion,
    read_go_benchmark, read_asv, read_github_action_benchmark, read_step_sessions, read_perf_stat,
    read_newest_action_entries, read_report_sessions, read_jmh, read_benchmarkdotnet, read_catch2,
    read_nanobench, read_llama_bench, read_vllm_latency, read_vllm_serve, read_pytorch_benchmark,
    read_nvbench, read_optimum_benchmark;

namespace {

/// What a format is recognized by: the text, or the object that it is, or the first one of a list
/// or of JSON Lines.
struct Beginning {
  std::string_view text;  ///< without blanks ahead; of a JSON text empty
  JsonObject top{};       ///< empty where it is no JSON
  bool is_list = false;   ///< `top` is its first element

  bool has(std::string_view name) const { return find_member(top, name) != nullptr; }
  bool says(std::string_view name, std::string_view word) const {
    return text_field(top, name).starts_with(word);
  }
  /// Whether a member is an object that has all of these.
  bool holds(std::initializer_list<std::string_view> members) const {
    return std::ranges::any_of(top, [&](const JsonMember& one) {
      const auto* object = std::get_if<JsonObject>(&one.value.data);
      return object != nullptr && std::ranges::all_of(members, [&](std::string_view member) {
               return find_member(*object, member) != nullptr;
             });
    });
  }
  /// Whether that name has a list of objects, of which some have one of these, or of none.
  bool lists(std::string_view name, std::initializer_list<std::string_view> members) const {
    const JsonArray* list = field_as<JsonArray>(top, name);
    return list != nullptr && (list->empty() || std::ranges::any_of(*list, [&](const auto& one) {
                                 const auto* object = std::get_if<JsonObject>(&one.data);
                                 return object != nullptr &&
                                        std::ranges::any_of(members, [&](std::string_view member) {
                                          return find_member(*object, member) != nullptr;
                                        });
                               }));
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
  bool by_lines = false;  ///< text or JSON Lines: the reader skips other lines
};

/// A new format: its reader above, and a row here. docs/formats.md and config.schema.json name it
/// too; tests compare them.
constexpr std::array<Format, 22> kFormats{{
    {"perf stat", read_perf_stat, [](Text text) { return text.has("counter-value"); },
     Use::judge_only, true},
    {"data.js", read_newest_action_entries,
     [](Text text) {
       return text.has("entries") || text.text.starts_with("window.BENCHMARK_DATA");
     },
     Use::judge_only},
    {"report", read_report_sessions,
     [](Text text) { return text.says("schema", "perf-compare/report/"); }, Use::judge_only},
    {"cases", nullptr, [](Text text) { return text.has("cases"); }, Use::judge_only},
    {"google-benchmark", read_google_benchmark,
     [](Text text) {
       return !text.has("machine_info") &&
              text.lists("benchmarks", {"real_time", "cpu_time", "run_name", "time_unit",
                                        "error_occurred", "skipped"});
     }},
    {"hyperfine", read_hyperfine, [](Text text) { return text.lists("results", {"command"}); }},
    {"nanobench", read_nanobench,
     [](Text text) {  // pyperf itself has its version in "metadata"
       const JsonObject* metadata = field_as<JsonObject>(text.top, "metadata");
       return text.lists("results", {"median(elapsed)"}) ||
              (metadata != nullptr && find_member(*metadata, "inner_loops") != nullptr &&
               find_member(*metadata, "perf_version") == nullptr &&
               text.lists("benchmarks", {"runs"}));
     }},
    {"pytest-benchmark", read_pytest_benchmark,
     [](Text text) {
       return text.has("machine_info") ? text.has("benchmarks")
                                       : text.lists("benchmarks", {"stats"});
     }},
    {"jmh", read_jmh, [](Text text) { return text.is_list && text.has("primaryMetric"); }},
    {"benchmarkdotnet", read_benchmarkdotnet,
     [](Text text) { return text.has("HostEnvironmentInfo") && text.has("Benchmarks"); }},
    {"catch2", read_catch2,
     [](Text text) {
       return text.text.starts_with('<') && (text.text.find("<Catch2TestRun") != text.text.npos ||
                                             text.text.find("<Catch ") != text.text.npos);
     }},
    {"criterion", read_criterion,
     [](Text text) { return text.has("reason") || is_bencher_text(text.text); }, Use::both, true},
    {"go", read_go_benchmark,
     [](Text text) {
       return (text.has("Action") && (text.has("Package") || text.has("ImportPath"))) ||
              is_go_text(text.text);
     },
     Use::both, true},
    {"asv", read_asv, [](Text text) { return text.has("result_columns"); }},
    {"llama-bench", read_llama_bench,
     [](Text text) { return text.has("samples_ns") && text.has("n_prompt"); }, Use::both, true},
    {"vllm-latency", read_vllm_latency,
     [](Text text) { return text.has("avg_latency") && text.has("latencies"); }},
    {"vllm-serve", read_vllm_serve,
     [](Text text) { return text.has("request_throughput") && text.has("model_id"); }, Use::both,
     true},
    {"pytorch-benchmark", read_pytorch_benchmark,
     [](Text text) { return text.has("metric") && text.holds({"benchmark_values"}); }, Use::both,
     true},
    {"nvbench", read_nvbench,
     [](Text text) { return text.has("devices") && text.lists("benchmarks", {"states"}); }},
    {"optimum-benchmark", read_optimum_benchmark,
     [](Text text) {
       return text.holds({"latency", "throughput", "memory"}) ||
              (text.has("config") && text.has("report"));
     }},
    {"github-action-benchmark", read_github_action_benchmark, nullptr, Use::import_only},
    {"steps", read_step_sessions, [](Text text) { return text.says("type", "begin"); }, Use::both,
     true},
}};

/// nullptr: unknown.
const Format* format_by(const Beginning& text) {
  const auto found = std::ranges::find_if(
      kFormats, [&](const Format& format) { return format.fits != nullptr && format.fits(text); });
  return found == kFormats.end() ? nullptr : &*found;
}

const Format* format_by(JsonValue root) {
  Beginning beginning;
  if (const auto* list = std::get_if<JsonArray>(&root.data); list != nullptr && !list->empty()) {
    beginning.is_list = true;
    JsonValue first = std::move(std::get<JsonArray>(root.data).front());
    root = std::move(first);
  }
  if (auto* object = std::get_if<JsonObject>(&root.data)) {
    beginning.top = std::move(*object);
  }
  return format_by(beginning);
}

/// A text, its format, and what of it the reader takes.
struct Recognized {
  const Format* format = nullptr;     ///< nullptr: unknown
  std::optional<std::string> text{};  ///< where it is not all
  std::vector<Warning> warnings{};
  std::optional<UsageError> fault{};  ///< of JSON that may be of any format
};

/// Whether a fault is found in valid JSON.
bool is_of_valid_json(std::string_view fault) {
  return !fault.starts_with(kNotJson);
}

/// Notes the first fault of JSON that begins a text; behind other text only what JSON can write.
void note_fault(const JsonPart& part, std::string_view text, const std::string& filename,
                Recognized& found) {
  const bool is_valid = is_of_valid_json(part.fault->what);
  if (!found.fault && (is_valid || part.begin == text.find_first_not_of(" \t\r\n"))) {
    found.fault.emplace(part.fault->what, place_of(text, part.fault->offset, filename),
                        part.fault->hint);
  }
}

/// The only document of a known format among other text. Throws UsageError where there are several,
/// and where it is cut short.
Recognized recognize_within(std::string_view text, const std::string& filename) {
  Recognized found;
  std::optional<JsonPart> document;
  for_each_json(text, [&](JsonPart part) {
    if (part.end == text.npos) {
      throw UsageError("the file is cut short",
                       place_of(text, text.find_last_not_of(" \t\r\n"), filename),
                       "it ends within the JSON that begins in line " +
                           std::to_string(position_of(text, part.begin).line) + ": write it again");
    }
    if (part.fault) {
      note_fault(part, text, filename, found);
    }
    const Format* format = format_by(std::move(part.root));
    if (format == nullptr || (found.format != nullptr && format->by_lines)) {
      return true;
    }
    if (found.format != nullptr) {
      throw UsageError("several JSON documents in one file", place_of(text, part.begin, filename),
                       "make each a file of its own: --base FILE --base FILE ...");
    }
    found.format = format;
    document = std::move(part);
    return !format->by_lines;
  });
  if (found.format != nullptr && !found.format->by_lines) {
    found.text = alone(*document, text);
    found.warnings.push_back(
        {WarningKind::other_text, {{"lines", count_lines_beside(*document, text)}}});
  }
  return found;
}

Recognized recognize_plain(std::string_view text, const std::string& filename) {
  const std::string_view inner = trimmed(text, " \t\r\n");
  if (inner.starts_with('{') || inner.starts_with('[')) {
    try {
      return {format_by(read_foreign_json(inner))};
    } catch (const JsonFault&) {  // other text follows, or it is cut short
    }
  }
  if (const Format* format = format_by(Beginning{inner})) {
    return {format};
  }
  return recognize_within(text, filename);
}

Recognized recognize(std::string_view text, const std::string& filename) {
  Recognized found = recognize_plain(text, filename);
  if (found.format != nullptr) {
    return found;
  }
  if (std::optional<LogPrefix> log = log_prefix_of(text)) {
    Recognized inner = recognize_plain(log->text, filename);
    inner.text = inner.text ? std::move(inner.text) : std::move(log->text);
    if (found.fault) {
      inner.fault = std::move(found.fault);
    }
    inner.warnings.push_back({WarningKind::log_prefix, {}, {{"prefix", in_quotes(log->prefix)}}});
    return inner;
  }
  return found;
}

/// Why a text is of no known format.
UsageError fault_of_unknown(const Recognized& found, std::string_view text,
                            const std::string& filename) {
  std::vector<std::string> known;
  for (const Format& format : kFormats) {
    if (format.use != Use::import_only) {
      known.emplace_back(format.name);
    }
  }
  const std::string all_known = "known formats: " + joined(known, ", ");
  const Resemblance like = resemblance_of(text);
  const bool is_valid = found.fault && is_of_valid_json(found.fault->what);
  if (found.fault && (is_valid || like.what.empty())) {
    return {found.fault->what, found.fault->subject, is_valid ? found.fault->hint : all_known};
  }
  const std::string place = like.at ? place_of(text, *like.at, filename) : filename;
  return {"file of unknown format", place + (like.what.empty() ? "" : ": " + like.what),
          like.remedy + (like.remedy.empty() ? "" : "; ") + all_known};
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

Sessions read_recognized(const Recognized& found, std::string_view text,
                         const std::string& filename) {
  Sessions sessions = read_as(*found.format, found.text ? *found.text : text, filename);
  std::ranges::copy(found.warnings, std::back_inserter(sessions.front().samples.warnings));
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
    all.checks.merge(one.checks);
  }
  return std::move(sessions.front());
}

constexpr std::size_t kLongestSkipReason = 200;  ///< bytes

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
  const Recognized recognized = recognize(text, filename);
  if (recognized.format == &*found) {
    return read_recognized(recognized, text, filename);
  }
  try {
    return read_as(*found, text, filename);
  } catch (const UsageError&) {
    const bool is_history = recognized.format != nullptr &&  // data.js has two readers
                            recognized.format->read == read_newest_action_entries &&
                            found->read == read_github_action_benchmark;
    const bool may_be_other = !is_history && found->read != read_step_sessions;
    if (may_be_other && recognized.format != nullptr) {
      throw UsageError("not a file of " + std::string(format),
                       filename + ": it is of " + std::string(recognized.format->name),
                       "name that format, or compare files: perf-compare judge");
    }
    if (may_be_other && !resemblance_of(text).what.empty()) {
      throw fault_of_unknown(recognized, text, filename);
    }
    throw;
  }
}

TextFormat format_of(std::string_view text, const std::string& filename) {
  try {
    const Recognized found = recognize(text, filename);
    if (found.format == nullptr) {
      return {{}, false, fault_of_unknown(found, text, filename)};
    }
    return {found.format->name, found.format->read != nullptr};
  } catch (const UsageError& error) {
    return {{}, false, error};
  }
}

ImportedSession read_one_session(std::string_view text, const std::string& filename) {
  const Recognized found = recognize(text, filename);
  if (found.format == nullptr) {
    throw fault_of_unknown(found, text, filename);
  }
  if (found.format->read == nullptr) {
    throw UsageError("a file of cases holds both sides", filename,
                     "perf-compare judge " + filename);
  }
  return as_one(read_recognized(found, text, filename));
}

SampleSet read_samples(std::string_view text, const std::string& filename) {
  return read_one_session(text, filename).samples;
}

std::vector<Block> read_foreign_blocks(std::string_view format, std::string_view text,
                                       const std::string& filename) {
  if (format == "steps") {
    return read_steps(text);
  }
  Sessions sessions = read_foreign(format, plain_text(std::string(text)), filename);
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
    block.skipped = first_line(why.substr(0, character_start(why, kLongestSkipReason)));
  }
  return std::move(found.blocks);
}

}  // namespace perf::formats
