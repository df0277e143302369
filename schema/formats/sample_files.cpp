#include "schema/formats/sample_files.h"

#include <variant>

#include "schema/error.h"
#include "schema/formats/go_benchmark.h"
#include "schema/formats/google_benchmark.h"
#include "schema/formats/json_reader.h"
#include "schema/formats/masked_numbers.h"
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
  if (document == nullptr)
    return SampleFormat::unknown_json;
  if (const JsonMember* schema = find_member(*document, "schema")) {
    const std::string* name = std::get_if<std::string>(&schema->value.data);
    if (name != nullptr && name->rfind(kReportSchema, 0) == 0)
      return SampleFormat::report;
  }
  if (find_member(*document, "benchmarks") != nullptr)
    return SampleFormat::google_benchmark;
  return find_member(*document, "cases") != nullptr ? SampleFormat::judge_cases
                                                    : SampleFormat::unknown_json;
}

}  // namespace

SampleFormat format_of(std::string_view text) {
  if (!begins_json(text))
    return SampleFormat::go;
  try {
    return format_of_document(
        read_json(mask_non_numbers(text), JsonLimits{.rounded_integers = true}));
  } catch (const JsonFault&) {
    return SampleFormat::unknown_json;
  }
}

SampleSet read_samples(std::string_view text, const std::string& filename) {
  switch (format_of(text)) {
    case SampleFormat::go:
      return read_go_benchmark(text, filename);
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
