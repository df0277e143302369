#include "reporter/common_failure.h"

#include <algorithm>

#include "reporter/wording.h"

namespace perf::reporter {

std::optional<CommonFailure> common_failure(const Report& report) {
  const std::vector<const Comparison*> rows = with_verdict(report, Verdict::failed);
  const bool is_headline = report.nothing_ran || report.summary.verdict == Verdict::failed;
  if (!is_headline || rows.empty() || reason_of(*rows.front()).empty()) {
    return std::nullopt;
  }
  CommonFailure failure{reason_of(*rows.front()), rows.size(), {}};
  bool told_alike = true;
  for (const Comparison* row : rows) {
    if (reason_of(*row) != failure.reason) {
      return std::nullopt;
    }
    told_alike = told_alike && row->notes == rows.front()->notes;
  }
  if (told_alike) {
    for (const std::string& note : rows.front()->notes) {
      for (std::string& line : lines_of(note)) {
        failure.told.push_back(std::move(line));
      }
    }
  }
  return failure;
}

std::vector<std::string> lines_of(const std::string& note) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < note.size();) {
    const std::size_t end = std::min(note.find('\n', at), note.size());
    if (end > at) {
      lines.push_back(note.substr(at, end - at));
    }
    at = end + 1;
  }
  return lines;
}

}  // namespace perf::reporter
