#include <string>
#include <utility>

#include "reporter/json/values.h"
#include "reporter/render.h"

namespace perf {

std::string render_doctor_json(const Diagnosis& diagnosis) {
  using reporter::Json;
  Json summary = Json::object();
  for (const Severity severity : kSeverities) {
    summary[std::string(to_string(severity))] = 0;
  }
  Json findings = Json::array();
  for (const Finding& finding : diagnosis.findings) {
    Json& count = summary[std::string(to_string(finding.severity))];
    count = count.get<int>() + 1;
    findings.push_back({{"code", finding.code},
                        {"severity", to_string(finding.severity)},
                        {"what", finding.what},
                        {"why", finding.why},
                        {"remedy", finding.remedy},
                        {"needs_root", finding.needs_root}});
  }
  const Environment& environment = diagnosis.environment;
  return reporter::json_text(
      {{"schema", "perf-compare/doctor/1"},
       {"tool", {{"version", diagnosis.tool_version}}},
       {"generated_at",
        diagnosis.generated_at.empty() ? Json(nullptr) : Json(diagnosis.generated_at)},
       {"environment",
        {{"fingerprint", environment.fingerprint},
         {"machine", environment.machine},
         {"facts", environment.facts}}},
       {"watched", reporter::json_number(diagnosis.watched)},
       {"summary", std::move(summary)},
       {"findings", std::move(findings)}});
}

}  // namespace perf
