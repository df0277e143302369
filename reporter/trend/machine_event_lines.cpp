#include "reporter/trend/machine_event_lines.h"

#include <algorithm>
#include <string>

#include "reporter/change.h"
#include "reporter/commit_phrase.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShownEvents = 5;
constexpr std::size_t kShownFacts = 5;
constexpr std::size_t kShortFingerprint = 8;

void add_place(Prose& line, const TrendReport& report, const MachineEvent& event) {
  const Revision* first = commit_at(report, event.first);
  const Revision* last = commit_at(report, event.last);
  if (first == nullptr || last == nullptr) {
    return;
  }
  line.push_back(words(first == last ? " at " : " between "));
  append(line, commit_phrase(*first));
  if (first != last) {
    line.push_back(words(" and "));
    append(line, commit_phrase(*last));
  }
}

Prose event_line(const TrendReport& report, const MachineEvent& event) {
  Prose line{{Tone::warn, event.known ? "machine, known" : "machine"}, words(": ")};
  line.push_back(words(std::to_string(event.moved) + " of " + std::to_string(event.series) +
                       " series of machine "));
  line.push_back(data(event.fingerprint.substr(0, kShortFingerprint)));
  line.push_back(words(" moved together, median "));
  line.push_back(number(change_text(event.change)));
  line.push_back(words(","));
  add_place(line, report, event);
  line.push_back(words("; no commit is blamed"));
  for (std::size_t i = 0; i < std::min(event.facts.size(), kShownFacts); ++i) {
    line.push_back(words(i == 0 ? "; changed there: " : ", "));
    line.push_back(data(event.facts[i]));
  }
  if (!event.confirm.empty() && !event.known) {
    line.push_back(dim("; machine or commit? "));
    line.push_back(command(event.confirm));
  }
  return line;
}

}  // namespace

std::vector<Prose> machine_event_lines(const TrendReport& report) {
  std::vector<const MachineEvent*> events;
  for (const MachineEvent& event : report.machine_events) {
    events.push_back(&event);
  }
  std::reverse(events.begin(), events.end());
  std::stable_partition(events.begin(), events.end(),
                        [](const MachineEvent* event) { return !event->known; });
  std::vector<Prose> lines;
  for (std::size_t i = 0; i < std::min(events.size(), kShownEvents); ++i) {
    lines.push_back(event_line(report, *events[i]));
  }
  if (events.size() > kShownEvents) {
    lines.push_back(
        {words(counted(events.size() - kShownEvents, "more machine event", "more machine events") +
               " (in full with --json)")});
  }
  return lines;
}

}  // namespace perf::reporter
