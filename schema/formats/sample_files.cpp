#include "schema/formats/sample_files.h"

#include <utility>
#include <variant>

#include "schema/error.h"
#include "schema/formats/asv.h"
#include "schema/formats/bencher_text.h"
#include "schema/formats/criterion.h"
#include "schema/formats/go_benchmark.h"
#include "schema/formats/google_benchmark.h"
#include "schema/formats/hyperfine.h"
#include "schema/formats/json_reader.h"
#include "schema/formats/masked_numbers.h"
#include "schema/formats/pytest_benchmark.h"
#include "schema/formats/report_json.h"
#include "schema/formats/text_position.h"

namespace perf::formats {
namespace {

constexpr std::string_view kReportSchema = "perf-compare/report/";

bool begins_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[');
}

SampleFormat format_of_document(const JsonValue& root) {
  const JsonObject* document = std::get_if<JsonObject>(&root.data);
  if (document == nullptr) {
    return SampleFormat::unknown_json;
  }
  if (const JsonMember* schema = find_member(*document, "schema")) {
    const std::string* name = std::get_if<std::string>(&schema->value.data);
    if (name != nullptr && name->rfind(kReportSchema, 0) == 0) {
      return SampleFormat::report;
    }
  }
  if (find_member(*document, "benchmarks") != nullptr) {
    return find_member(*document, "machine_info") != nullptr ? SampleFormat::pytest_benchmark
                                                             : SampleFormat::google_benchmark;
  }
  if (find_member(*document, "result_columns") != nullptr) {
    return SampleFormat::asv;
  }
  if (find_member(*document, "reason") != nullptr) {
    return SampleFormat::criterion;
  }
  if (find_member(*document, "results") != nullptr) {
    return SampleFormat::hyperfine;
  }
  return find_member(*document, "cases") != nullptr ? SampleFormat::judge_cases
                                                    : SampleFormat::unknown_json;
}

SampleFormat format_of_json(std::string_view text) {
  try {
    return format_of_document(
        read_json(mask_non_numbers(text), JsonLimits{.large_integers = true}));
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
  switch (format_of(text)) {
    case SampleFormat::go:
      return read_go_benchmark(text, filename);
    case SampleFormat::hyperfine:
      return read_hyperfine(text, filename);
    case SampleFormat::pytest_benchmark:
      return read_pytest_benchmark(text, filename).samples;
    case SampleFormat::criterion:
      return read_criterion(text, filename);
    case SampleFormat::asv:
      return read_asv(text, filename).samples;
    case SampleFormat::report:
      return read_report_json(text, filename).samples;
    case SampleFormat::judge_cases:
      throw UsageError("the cases of a file hold both sides", filename,
                       "perf-compare judge " + filename);
    case SampleFormat::google_benchmark:
    case SampleFormat::unknown_json:
      break;
  }
  return read_google_benchmark(text, filename);
}

}  // namespace perf::formats
