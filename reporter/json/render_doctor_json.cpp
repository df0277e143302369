#include <algorithm>
#include <string>

#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

static void fields(JsonWriter& visit, const Finding& record) {
  PERF_FIELDS(code, severity, what, why, remedy, needs_root)
}

static void fields(JsonWriter& visit, const Diagnosis& record) {
  origin_fields(visit, record);
  PERF_FIELDS(environment, watched, findings)
  visit.within("summary", [&](JsonWriter& summary) {
    for (const Severity severity : kSeverities) {
      summary(std::string(to_string(severity)),
              std::count_if(record.findings.begin(), record.findings.end(),
                            [&](const Finding& one) { return one.severity == severity; }));
    }
  });
}

std::string render_doctor_json(const Diagnosis& diagnosis) {
  return reporter::document_of("doctor", diagnosis);
}

}  // namespace perf
