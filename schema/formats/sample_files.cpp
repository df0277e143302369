#include "schema/formats/sample_files.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <variant>

#include "schema/error.h"
#include "schema/formats/foreign.h"
#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/readers.h"
#include "schema/formats/report_json.h"
#include "schema/text/text_parts.h"

namespace perf::formats {
namespace {

constexpr std::string_view kReportSchema = "perf-compare/report/";

/// The words of read_foreign, in the order of SampleFormat.
constexpr std::array<std::string_view, 6> kForeignNames{
    "go", "google-benchmark", "hyperfine", "pytest-benchmark", "criterion", "asv"};
static_assert(kForeignNames.size() == static_cast<std::size_t>(SampleFormat::report));

/// What a document has at its top, the first that it has.
constexpr std::array<std::pair<std::string_view, SampleFormat>, 5> kTopNames{{
    {"result_columns", SampleFormat::asv},
    {"reason", SampleFormat::criterion},
    {"results", SampleFormat::hyperfine},
    {"cases", SampleFormat::judge_cases},
    {"entries", SampleFormat::action_data},
}};

bool begins_json(std::string_view text) {
  const std::string_view content = trimmed(text, " \t\r\n");
  return content.starts_with('{') || content.starts_with('[');
}

SampleFormat format_of_document(const JsonValue& root) {
  const JsonObject* document = std::get_if<JsonObject>(&root.data);
  if (document == nullptr) {
    return SampleFormat::unknown_json;
  }
  if (text_field(*document, "schema").starts_with(kReportSchema)) {
    return SampleFormat::report;
  }
  if (find_member(*document, "benchmarks") != nullptr) {
    return find_member(*document, "machine_info") != nullptr ? SampleFormat::pytest_benchmark
                                                             : SampleFormat::google_benchmark;
  }
  const auto known = std::find_if(kTopNames.begin(), kTopNames.end(), [&](const auto& one) {
    return find_member(*document, one.first) != nullptr;
  });
  return known != kTopNames.end() ? known->second : SampleFormat::unknown_json;
}

SampleFormat format_of_json(std::string_view text) {
  try {
    return format_of_document(read_foreign_json(text));
  } catch (const JsonFault&) {
    return SampleFormat::unknown_json;
  }
}

/// Whether it is the protocol, which `import` alone reads.
bool is_protocol(std::string_view text) {
  constexpr std::size_t kBeginning = 4096;
  return begins_json(text) && format_of_json(text) == SampleFormat::unknown_json &&
         text.substr(0, kBeginning).find("\"type\":\"begin\"") != std::string_view::npos;
}

}  // namespace

SampleFormat format_of(std::string_view text) {
  if (is_perf_stat(text)) {
    return SampleFormat::perf_stat;
  }
  if (trimmed(text, " \t\r\n").starts_with("window.BENCHMARK_DATA")) {
    return SampleFormat::action_data;
  }
  if (!begins_json(text)) {
    return is_bencher_text(text) ? SampleFormat::criterion : SampleFormat::go;
  }
  const SampleFormat format = format_of_json(text);
  // Of JSON Lines only the first is a JSON text.
  if (format == SampleFormat::unknown_json &&
      format_of_json(text.substr(0, text.find('\n'))) == SampleFormat::criterion) {
    return SampleFormat::criterion;
  }
  return format;
}

bool is_session(SampleFormat format, std::string_view text) {
  switch (format) {
    case SampleFormat::judge_cases:
    case SampleFormat::unknown_json:
      return false;
    case SampleFormat::go:
      return text.find("Benchmark") != std::string_view::npos;
    default:
      return true;
  }
}

/// Of several machines none can be told.
static SampleSet as_one(std::vector<SampleSet> sessions) {
  SampleSet all = std::move(sessions.front());
  for (std::size_t i = 1; i < sessions.size(); ++i) {
    all.environment = {};
    std::ranges::move(sessions[i].series, std::back_inserter(all.series));
    all.failures.merge(sessions[i].failures);
  }
  return all;
}

SampleSet read_samples(std::string_view text, const std::string& filename) {
  if (is_protocol(text)) {
    throw UsageError("judge does not read this format", filename + ": steps",
                     "perf-compare import steps FILE keeps it as history, which perf-compare trend "
                     "shows");
  }
  const SampleFormat format = format_of(text);
  if (format == SampleFormat::judge_cases) {
    throw UsageError("the cases of a file hold both sides", filename,
                     "perf-compare judge " + filename);
  }
  if (format == SampleFormat::report) {
    return as_one(read_report_json(text, filename).sessions);
  }
  if (format == SampleFormat::perf_stat) {
    return read_perf_stat(text, filename);
  }
  if (format == SampleFormat::action_data) {
    return read_newest_action_entries(text, filename);
  }
  const bool is_known = format < SampleFormat::report;
  const SampleFormat read_as = is_known ? format : SampleFormat::google_benchmark;
  return read_foreign(kForeignNames[static_cast<std::size_t>(read_as)], text, filename)
      .front()
      .samples;
}

}  // namespace perf::formats
