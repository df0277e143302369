#include "reporter/trend/trend_headline.h"

#include <algorithm>
#include <optional>
#include <string>

#include "reporter/change.h"
#include "reporter/commit_phrase.h"
#include "reporter/trend/finding_phrases.h"
#include "reporter/trend/machine_event_lines.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

/// The day of the oldest commit that the report has a point of; empty where it has none.
std::string first_day(const TrendReport& report) {
  std::optional<std::uint32_t> first;
  for (const TrendSeries& series : report.series) {
    if (!series.points.empty() && (!first || series.points.front().commit < *first)) {
      first = series.points.front().commit;
    }
  }
  const Revision* commit = first ? commit_at(report, *first) : nullptr;
  return commit ? date_of(commit->committed_at) : std::string();
}

/// "; 1 known, 1 recovered", in the order of weight.
std::string count_words(const TrendCounts& counts) {
  std::string text;
  const auto add = [&text](std::size_t count, const std::string& what) {
    if (count > 0) {
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    }
  };
  add(counts.known, "known");
  add(counts.recovered, "recovered");
  add(counts.withdrawn, "withdrawn");
  add(counts.refuted, "refuted");
  add(counts.improved, "improved");
  return text;
}

/// "`parser` is slower, step_time +12.4 % [+10.9, +13.8], at 3f2a9c01d2e4 Use a map".
Prose worst_phrase(const TrendReport& report, const Finding& worst, const SeriesNames& names) {
  const Metric& metric = worst.series->metric;
  Prose phrase = names.workload(*worst.series);
  phrase.push_back(words(" " + direction_words(metric, true) + ", "));
  phrase.push_back(name(metric.name));
  phrase.push_back(words(" "));
  phrase.push_back(number(change_text(worst.change, worst.interval)));
  phrase.push_back(words(", "));
  if (worst.kind == AlertKind::step && worst.step->commits == 1) {
    if (const Revision* commit = commit_at(report, worst.step->commit)) {
      append(phrase, {words("at "), data(commit->oid.substr(0, kShortOid)), words(" "),
                      data(commit->subject)});
    }
  } else {
    append(phrase, place_phrase(report, worst));
  }
  return phrase;
}

std::string unmoved_text(const TrendReport& report, const TrendCounts& counts) {
  const std::size_t all = report.series.size();
  const std::string day = first_day(report);
  const std::string since = day.empty() ? "" : " since " + day;
  const std::string of_all = " of " + counted(all, "series", "series");
  if (counts.moved == 0) {
    return (all == 1 ? "the one series did not move" : "none" + of_all + " moved") + since;
  }
  if (counts.moved >= all) {
    return (all == 1 ? "the one series" : "all " + std::to_string(all) + " series") +
           std::string(" moved") + since;
  }
  return std::to_string(all - counts.moved) + of_all + " did not move" + since;
}

Prose alert_sentence(const TrendReport& report, const std::vector<Finding>& fresh,
                     const TrendCounts& counts, const SeriesNames& names) {
  Prose sentence{{Tone::bad, counted(fresh.size(), "new alert", "new alerts")},
                 words(fresh.size() == 1 ? ": " : ", the largest: ")};
  append(sentence, worst_phrase(report, fresh.front(), names));
  const std::string others = count_words(counts);
  sentence.push_back(
      words((others.empty() ? "" : "; " + others) + "; " + unmoved_text(report, counts)));
  return sentence;
}

Prose quiet_sentence(const TrendReport& report, const TrendCounts& counts) {
  const std::string others = count_words(counts);
  return {{trend_mood(report, counts) == Mood::good ? Tone::good : Tone::strong, "Nothing new"},
          words(": " + (others.empty() ? "" : others + "; ") + unmoved_text(report, counts))};
}

/// "Nothing blamed on a commit, but 3 of 4 series of machine 1f2e3d4c moved together ...: machine
/// or commit? perf-compare A B -w parser tells; 1 known; ...".
Prose event_sentence(const TrendReport& report, const std::vector<const MachineEvent*>& events,
                     const TrendCounts& counts) {
  Prose sentence{{Tone::warn, "Nothing blamed on a commit"}, words(", but ")};
  append(sentence, machine_event_phrase(report, *events.back()));
  if (!events.back()->confirm.empty()) {
    sentence.push_back(words(": machine or commit? "));
    sentence.push_back(command(events.back()->confirm));
    sentence.push_back(words(" tells"));
  }
  std::string rest;
  if (events.size() > 1) {
    rest += "; " + counted(events.size() - 1, "more new machine event", "more new machine events");
  }
  const std::string others = count_words(counts);
  rest += (others.empty() ? "" : "; " + others) + "; " + unmoved_text(report, counts);
  sentence.push_back(words(rest));
  return sentence;
}

/// Oldest first.
std::vector<const MachineEvent*> new_events(const TrendReport& report) {
  std::vector<const MachineEvent*> events;
  for (const MachineEvent& event : report.machine_events) {
    if (!event.known) {
      events.push_back(&event);
    }
  }
  return events;
}

Prose first_sentence(const TrendReport& report, const std::vector<Finding>& fresh,
                     const TrendCounts& counts, const SeriesNames& names) {
  if (!fresh.empty()) {
    return alert_sentence(report, fresh, counts, names);
  }
  const std::vector<const MachineEvent*> events = new_events(report);
  return events.empty() ? quiet_sentence(report, counts) : event_sentence(report, events, counts);
}

/// What a first night finds, or who asks for what there is not.
std::vector<Prose> empty_sentences(const TrendReport& report) {
  Prose what{{Tone::strong, report.filtered ? "Nothing matches" : "Nothing to tell yet"},
             words(": no measurement of size ")};
  what.push_back(data(report.size));
  what.push_back(words(std::string(report.filtered ? " and of what -w and --metric name" : "") +
                       " is kept of the " +
                       counted(report.line, "commit", "commits that lead to ")));
  if (report.line == 1) {
    what.push_back(words(" "));
  }
  what.push_back(data(report.head.oid.substr(0, kShortOid)));
  if (report.filtered) {
    return {what};
  }
  return {what,
          {words("measure every night with "), command("perf-compare collect HEAD"),
           words("; what is past, with "), command("perf-compare collect A..B")}};
}

/// Series too short to tell a step from noise want more nights.
std::vector<Prose> young_sentences(const TrendReport& report) {
  const std::size_t most = report.longest;
  if (report.points_wanted <= most) {
    return {};
  }
  return {
      {words("a step of "), number(percentage(report.policy.threshold)),
       words(" is seen from about " +
             counted(report.points_wanted, "measured commit", "measured commits") + " on; there " +
             (most == 1 ? "is " : "are ") + std::to_string(most) + ": go on with "),
       command("perf-compare collect HEAD"), words(" every night")}};
}

std::vector<Prose> confirmation_sentences(const TrendReport& report) {
  if (report.confirmations.empty()) {
    return {};
  }
  std::size_t regressed = 0, not_worse = 0;
  for (const Report& one : report.confirmations) {
    const Verdict verdict = one.summary.verdict;
    regressed += verdict == Verdict::regressed;
    not_worse += verdict == Verdict::unchanged || verdict == Verdict::improved;
  }
  const std::size_t all = report.confirmations.size();
  const std::size_t undecided = all - regressed - not_worse;
  Prose sentence{words("of " + counted(all, "comparison", "comparisons") + " run to make sure: "),
                 {regressed > 0 ? Tone::bad : Tone::good, std::to_string(regressed) + " regressed"},
                 words(", " + std::to_string(not_worse) + " did not")};
  if (undecided > 0) {
    sentence.push_back(words(", "));
    sentence.push_back({Tone::warn, std::to_string(undecided) + " undecided"});
  }
  return {sentence};
}

}  // namespace

std::vector<Prose> trend_headline(const TrendReport& report, const std::vector<Finding>& findings,
                                  const SeriesNames& names) {
  if (report.series.empty()) {
    return empty_sentences(report);
  }
  const TrendCounts counts = counts_of(report);
  const std::vector<Finding> fresh = in_state(findings, AlertState::fresh);
  std::vector<Prose> sentences{first_sentence(report, fresh, counts, names)};
  for (Prose& sentence : confirmation_sentences(report)) {
    sentences.push_back(std::move(sentence));
  }
  for (Prose& sentence : young_sentences(report)) {
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

Mood trend_mood(const TrendReport& report, const TrendCounts& counts) {
  if (counts.fresh > 0) {
    return Mood::bad;
  }
  const bool news = std::any_of(report.machine_events.begin(), report.machine_events.end(),
                                [](const MachineEvent& event) { return !event.known; });
  const bool settled = counts.points > 0 && counts.known == 0 && counts.suspects == 0 && !news;
  return settled ? Mood::good : Mood::unsettled;
}

}  // namespace perf::reporter
