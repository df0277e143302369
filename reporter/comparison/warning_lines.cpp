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

/// What a warning or note is said once about for many rows; empty: it has no such words.
std::string topic_of(const Warning& warning) {
  const Wording* wording = find_wording(warning.kind);
  return wording ? std::string(wording->topic) : "";
}

/// What rows have to say alike for one line to be enough.
std::string key_of(const Warning& warning) {
  const std::string topic = topic_of(warning);
  return topic.empty() ? sentence(warning) : topic;
}

Prose line_of(const std::string& key, const Shared& shared) {
  const std::string& text = shared.texts.size() == 1 ? *shared.texts.begin() : key;
  return joined(warn("warning"), ": ", data(text), " (", names_of(shared.workloads), ")");
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
      rows_[key_of(note)] += topic_of(note).empty() ? 0 : 1;
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
  std::map<std::string, Shared> warned, noted;
  const auto add = [](const Comparison& row, const Warning& said,
                      std::map<std::string, Shared>& all) {
    Shared& shared = all[key_of(said)];
    shared.texts.insert(sentence(said));
    if (shared.workloads.empty() || shared.workloads.back() != row.workload) {
      shared.workloads.push_back(row.workload);
    }
  };
  for (const Comparison& comparison : report.comparisons) {
    for (const Warning& warning : comparison.warnings) {
      const bool said_there = shown.count(&comparison) > 0 && !once.has(comparison, warning);
      if (!once.is_of_the_report(warning) && !said_there) {
        add(comparison, warning, warned);
      }
    }
    for (const Warning& note : comparison.notes) {
      if (once.has(comparison, note)) {
        add(comparison, note, noted);
      }
    }
  }
  for (const auto& [key, shared] : warned) {
    lines.push_back(line_of(key, shared));
  }
  for (const auto& [key, shared] : noted) {
    lines.push_back(joined(words(key), " (", names_of(shared.workloads), ")"));
  }
  return lines;
}

}  // namespace perf::reporter
