#pragma once

#include <string>
#include <vector>

#include "schema/json/json_writer.h"
#include "schema/json/record_fields.h"

namespace perf::reporter {

inline Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// The text of a document, indented, with a final newline. Bytes that are no UTF-8 become U+FFFD.
std::string json_text(const Json& document);

/// The text of a record as a document of this schema: "list" is "perf-compare/list/1".
template <class Record>
std::string document_of(const std::string& schema, const Record& record) {
  Json document = json_of(record);
  document["schema"] = "perf-compare/" + schema + "/1";
  return json_text(document);
}

/// The sentences of warnings ("WHATs"), also beside their data ("WHAT_details").
void add_sentences(Json& object, const std::vector<Warning>& warnings,
                   const std::string& what = "warning");

/// Records with what is for readers: sentences, and no verdict on what is not judged.
Json comparison_json(const Comparison& comparison);
Json report_json(const Report& report);

}  // namespace perf::reporter

namespace perf {

/// When, and by which version.
void origin_fields(JsonWriter& visit, const auto& record) {
  visit.or_null("generated_at", record.generated_at);
  visit.within("tool", [&](JsonWriter& tool) { tool("version", record.tool_version); });
}

}  // namespace perf
