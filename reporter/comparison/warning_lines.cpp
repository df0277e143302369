#include <algorithm>
#include <cstddef>
#include <set>

#include "reporter/comparison/report_sections.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

constexpr int kSharedByRows = 3;  ///< rows from which a warning is said once for all

struct Shared {
  std::set<std::string> texts;
  std::vector<std::string> workloads;
};

/// What rows have to say alike for one line to be enough.
std::string key_of(const Warning& warning) {
  const Wording* wording = find_wording(warning.kind);
  return wording && !wording->topic.empty() ? std::string(wording->topic) : sentence(warning);
}

Prose line_of(const std::string& key, const Shared& shared) {
  const std::string& text = shared.texts.size() == 1 ? *shared.texts.begin() : key;
  return joined(warn("warning"), ": ", data(text), " (", names_of(shared.workloads), ")");
}

/// Notes with a topic are said once for many rows, as warnings are.
bool has_topic(const Warning& note) {
  const Wording* wording = find_wording(note.kind);
  return wording != nullptr && !wording->topic.empty();
}

}  // namespace

SharedWarnings::SharedWarnings(const Report& report) {
  for (const Warning& warning : report.warnings) {
    of_the_report_.insert(warning.kind);
  }
  for (const Comparison& comparison : report.comparisons) {
    for (const Warning& warning : comparison.warnings) {
      ++rows_[key_of(warning)];
    }
    for (const Warning& note : comparison.notes) {
      rows_[key_of(note)] += has_topic(note) ? 1 : 0;
    }
  }
}

bool SharedWarnings::has(const Comparison& comparison, const Warning& warning) const {
  if (is_reason(comparison, warning)) {
    return false;
  }
  const auto rows = rows_.find(key_of(warning));
  return is_of_the_report(warning) || (rows != rows_.end() && rows->second >= kSharedByRows);
}

bool SharedWarnings::is_of_the_report(const Warning& warning) const {
  return of_the_report_.count(warning.kind) > 0;
}

std::vector<Prose> warning_lines(const Report& report) {
  std::vector<Prose> lines;
  for (const Warning& warning : report.warnings) {
    if (!is_in_headline(warning)) {
      lines.push_back(warning_line(warning));
    }
  }
  const SharedWarnings once(report);
  const std::vector<const Comparison*> rows = shown_changes(report);
  const std::set<const Comparison*> shown(rows.begin(), rows.end());
  std::map<std::string, Shared> shared_by;
  for (const Comparison& comparison : report.comparisons) {
    for (const Warning& warning : comparison.warnings) {
      const bool said_there = shown.count(&comparison) > 0 && !once.has(comparison, warning);
      if (once.is_of_the_report(warning) || said_there) {
        continue;
      }
      Shared& shared = shared_by[key_of(warning)];
      shared.texts.insert(sentence(warning));
      if (shared.workloads.empty() || shared.workloads.back() != comparison.workload) {
        shared.workloads.push_back(comparison.workload);
      }
    }
  }
  for (const auto& [key, shared] : shared_by) {
    lines.push_back(line_of(key, shared));
  }
  std::map<std::string, std::vector<std::string>> noted;
  for (const Comparison& comparison : report.comparisons) {
    for (const Warning& note : comparison.notes) {
      if (!once.has(comparison, note)) {
        continue;
      }
      std::vector<std::string>& workloads = noted[key_of(note)];
      if (workloads.empty() || workloads.back() != comparison.workload) {
        workloads.push_back(comparison.workload);
      }
    }
  }
  for (const auto& [key, workloads] : noted) {
    lines.push_back(joined(words(key), " (", names_of(workloads), ")"));
  }
  return lines;
}

}  // namespace perf::reporter
