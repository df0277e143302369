#include <algorithm>
#include <string>

#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShownEvents = 5;
constexpr std::size_t kShownFacts = 5;
constexpr std::size_t kShownMembers = 5;

void add_place(Prose& line, const TrendReport& report, const MachineEvent& event) {
  const Revision* first = commit_at(report, event.first);
  const Revision* last = commit_at(report, event.last);
  if (first == nullptr || last == nullptr) {
    return;
  }
  append(line, words(first == last ? " at " : " between "), commit_phrase(*first));
  if (first != last) {
    append(line, " and ", commit_phrase(*last));
  }
}

/// ": `parser` `step_time` +30 %, `parser` `peak_rss` +8 %, and 2 more".
void add_members(Prose& line, const std::vector<Finding>& members, const SeriesNames& names) {
  for (std::size_t i = 0; i < std::min(members.size(), kShownMembers); ++i) {
    append(line, words(i == 0 ? ": " : ", "), names.series(*members[i].series), " ",
           number(change_text(members[i].change)));
  }
  if (members.size() > kShownMembers) {
    line.push_back(words(", and " + std::to_string(members.size() - kShownMembers) + " more"));
  }
}

/// What is known of the cause: nothing, of series that step each by itself.
std::string cause_text(const MachineEvent& event) {
  return !event.programs_changed   ? "; no commit is blamed"
         : *event.programs_changed ? "; their programs changed there"
                                   : "; their programs did not change there: no commit is blamed";
}

Prose event_line(const TrendDigest& trend, const MachineEvent& event,
                 const std::vector<Finding>& members) {
  Prose line = joined(warn(event.known ? "machine, known" : "machine"), ": ",
                      machine_event_phrase(trend.report, event), words(cause_text(event)));
  if (event.false_alarms) {
    line.push_back(
        words("; false alarms as large: " + chance_text(event.false_alarms) + " per 1,000 points"));
  }
  add_members(line, members, trend.names);
  for (std::size_t i = 0; i < std::min(event.facts.size(), kShownFacts); ++i) {
    append(line, words(i == 0 ? "; changed there: " : ", "), data(event.facts[i]));
  }
  if (!event.confirm.empty()) {
    append(line, dim("; to distinguish machine and commit: "), command(event.confirm));
  }
  return line;
}

}  // namespace

Prose machine_event_phrase(const TrendReport& report, const MachineEvent& event) {
  Prose phrase{words(std::to_string(event.moved) + " of " + std::to_string(event.series) +
                     " series of machine "),
               data(event.fingerprint.substr(0, kShortFingerprint)), " moved together, median ",
               number(change_text(event.change)), ","};
  add_place(phrase, report, event);
  return phrase;
}

std::vector<Prose> machine_event_lines(const TrendDigest& trend) {
  std::vector<const MachineEvent*> events =
      mapped(trend.report.machine_events, [](const MachineEvent& event) { return &event; });
  std::ranges::reverse(events);
  std::ranges::stable_partition(events, [](const MachineEvent* event) { return !event->known; });
  std::vector<Prose> lines;
  for (std::size_t i = 0; i < std::min(events.size(), kShownEvents); ++i) {
    const auto place = static_cast<std::size_t>(events[i] - trend.report.machine_events.data());
    lines.push_back(event_line(trend, *events[i], members_of(trend.findings, place)));
  }
  if (events.size() > kShownEvents) {
    lines.push_back({words(counted(events.size() - kShownEvents, "more machine event") +
                           " (in full with --json)")});
  }
  return lines;
}

}  // namespace perf::reporter
