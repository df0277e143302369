#include "analyzer/trend/alert_life.h"

#include <cstdint>

#include "schema/fnv.h"

namespace perf {
namespace {

std::string hexadecimal(std::uint64_t number) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; number /= 16) {
    text[i] = "0123456789abcdef"[number % 16];
  }
  return text;
}

}  // namespace

AlertLife life_of(const Alert& alert) {
  AlertLife life;
  for (const AlertEvent& event : alert.events) {
    if (event.news == AlertNews::seen && life.first_seen.empty()) {
      life.first_seen = event.at;
    }
    // A run that nobody named still is one.
    const std::string run = event.run_id.empty() ? "unknown" : event.run_id;
    if (event.news == AlertNews::confirmed || event.news == AlertNews::refuted) {
      life.confirmed_by = event.news == AlertNews::confirmed ? run : "";
      life.refuted_by = event.news == AlertNews::refuted ? run : "";
    }
    life.recovered |= event.news == AlertNews::recovered;
    life.withdrawn |= event.news == AlertNews::withdrawn;
  }
  return life;
}

std::string alert_id(const SeriesKey& series, AlertKind kind, const std::string& oid,
                     const std::string& baseline, int copy) {
  std::string text = series.workload + '\n';
  for (const auto& [name, value] : series.params) {
    text += name + '=' + to_text(value) + '\n';
  }
  for (const std::string& part :
       {series.metric, series.fingerprint, series.anchor, oid, baseline}) {
    text += part + '\n';
  }
  text += std::string(to_string(kind)) + std::to_string(copy);
  const std::uint64_t first = fnv1a_64(text);
  return hexadecimal(first) + hexadecimal(fnv1a_64(text, first));
}

}  // namespace perf
