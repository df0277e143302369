#include "schema/formats/sample_files.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "schema/error.h"
#include "schema/formats/bencher_text.h"
#include "schema/formats/foreign.h"
#include "schema/formats/json_document.h"
#include "schema/formats/json_fields.h"
#include "schema/formats/report_json.h"
#include "schema/text_parts.h"

namespace perf::formats {
namespace {

constexpr std::string_view kReportSchema = "perf-compare/report/";

/// The words of read_foreign, in the order of SampleFormat.
constexpr std::array<std::string_view, 6> kWords{
    "go", "google-benchmark", "hyperfine", "pytest-benchmark", "criterion", "asv"};
static_assert(kWords.size() == static_cast<std::size_t>(SampleFormat::report));

/// What a document has at its top, the first that it has.
constexpr std::array<std::pair<std::string_view, SampleFormat>, 4> kTopNames{{
    {"result_columns", SampleFormat::asv},
    {"reason", SampleFormat::criterion},
    {"results", SampleFormat::hyperfine},
    {"cases", SampleFormat::judge_cases},
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

/// What `import` alone reads: the history that github-action-benchmark keeps, and the protocol.
std::string_view import_only(std::string_view text) {
  constexpr std::size_t kBeginning = 4096;
  const std::string_view beginning = text.substr(0, kBeginning);
  if (!begins_json(text)) {
    return beginning.find("window.BENCHMARK_DATA") != std::string_view::npos
               ? "github-action-benchmark"
               : "";
  }
  if (format_of_json(text) != SampleFormat::unknown_json) {
    return "";
  }
  for (const auto& [key, format] :
       {std::pair<std::string_view, std::string_view>{"\"entries\"", "github-action-benchmark"},
        {"\"type\":\"begin\"", "steps"}}) {
    if (beginning.find(key) != std::string_view::npos) {
      return format;
    }
  }
  return "";
}

}  // namespace

SampleFormat format_of(std::string_view text) {
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

SampleSet read_samples(std::string_view text, const std::string& filename) {
  if (const std::string_view format = import_only(text); !format.empty()) {
    throw UsageError("judge does not read this format", filename + ": " + std::string(format),
                     "perf-compare import " + std::string(format) +
                         " FILE keeps it as history, which perf-compare trend shows");
  }
  const SampleFormat format = format_of(text);
  if (format == SampleFormat::judge_cases) {
    throw UsageError("the cases of a file hold both sides", filename,
                     "perf-compare judge " + filename);
  }
  if (format == SampleFormat::report) {
    return read_report_json(text, filename).samples;
  }
  const bool is_known = format < SampleFormat::report;
  const SampleFormat read_as = is_known ? format : SampleFormat::google_benchmark;
  return read_foreign(kWords[static_cast<std::size_t>(read_as)], text, filename).front().samples;
}

}  // namespace perf::formats
