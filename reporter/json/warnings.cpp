#include "reporter/json/records.h"

namespace perf::reporter {

Json warning_texts(const std::vector<Warning>& warnings) {
  Json texts = Json::array();
  for (const Warning& warning : warnings) {
    texts.push_back(warning.text);
  }
  return texts;
}

Json warning_details(const std::vector<Warning>& warnings) {
  Json details = Json::array();
  for (const Warning& warning : warnings) {
    Json figures = Json::object();
    for (const auto& [name, value] : warning.figures) {
      figures[name] = json_number(value);
    }
    details.push_back(
        {{"kind", warning.kind}, {"text", warning.text}, {"figures", std::move(figures)}});
  }
  return details;
}

}  // namespace perf::reporter
