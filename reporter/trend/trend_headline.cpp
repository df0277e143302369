#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "reporter/trend/findings.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

/// The day of the oldest commit that the report has a point of; empty where it has none.
std::string first_day(const TrendReport& report) {
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  for (const TrendSeries& series : report.series) {
    first = series.points.empty() ? first : std::min(first, series.points.front().commit);
  }
  return day_of(report, first);
}

/// "; 1 known, 1 recovered", in the order of weight.
std::string count_words(const TrendCounts& counts) {
  std::vector<std::string> said;
  const std::size_t reopened =
      counts.fresh > 0 ? counts.reopened : 0;  // else in the first sentence
  for (const auto& [count, what] : {std::pair{reopened, " reopened"},
                                    {counts.known, " known"},
                                    {counts.recovered, " recovered"},
                                    {counts.withdrawn, " withdrawn"},
                                    {counts.refuted, " refuted"},
                                    {counts.ignored, " ignored"},
                                    {counts.improved, " improved"}}) {
    if (count > 0) {
      said.push_back(std::to_string(count) + what);
    }
  }
  return perf::joined(said, ", ");
}

/// "`parser` is slower, step_time +12.4 % [+10.9, +13.8], at 3f2a9c01d2e4 Use a map".
Prose worst_phrase(const TrendDigest& trend, const Finding& worst) {
  const Metric& metric = worst.series->metric;
  Prose phrase = trend.names.workload(*worst.series);
  append(phrase, words(" " + direction_words(metric, true) + ", "), name(metric.name), " ",
         number(change_text(worst.change, worst.interval)), ", ");
  if (worst.kind == AlertKind::step && worst.step->commits == 1 && !worst.step->same_program) {
    if (const Revision* commit = commit_at(trend.report, worst.step->commit)) {
      append(phrase, "at ", short_commit_phrase(*commit));
    }
  } else {
    append(phrase, place_phrase(trend.report, worst));
  }
  return phrase;
}

/// "1 known, 1 recovered; 198 of 200 series did not move since 2026-01-01".
std::string rest_text(const TrendDigest& trend) {
  const TrendCounts& counts = trend.counts;
  const std::size_t all = trend.report.series.size();
  const std::string day = first_day(trend.report);
  const std::string since = day.empty() ? "" : " since " + day;
  const std::string of_all = " of " + counted(all, "series", "series");
  const std::string others = count_words(counts);
  const std::string before = others.empty() ? "" : others + "; ";
  const std::string what =
      counts.moved == 0    ? (all == 1 ? "the one series did not move" : "none" + of_all + " moved")
      : counts.moved < all ? std::to_string(all - counts.moved) + of_all + " did not move"
      : all == 1           ? "the one series moved"
                           : "all " + std::to_string(all) + " series moved";
  return before + what + since;
}

/// `what`: "new alert".
Prose alert_sentence(const TrendDigest& trend, const std::vector<Finding>& alerts,
                     const std::string& what) {
  return joined(bad(counted(alerts.size(), what)),
                words(alerts.size() == 1 ? ": " : ", the clearest: "),
                worst_phrase(trend, alerts.front()), words("; " + rest_text(trend)));
}

/// "Nothing blamed on a commit, but 3 of 4 series of machine 1f2e3d4c moved together ...; to
/// distinguish machine and commit: perf-compare A B -w parser; 1 known; ...".
Prose event_sentence(const TrendDigest& trend, const std::vector<const MachineEvent*>& events) {
  Prose sentence = joined(warn("Nothing blamed on a commit"), ", but ",
                          machine_event_phrase(trend.report, *events.back()));
  if (!events.back()->confirm.empty()) {
    append(sentence, "; to distinguish machine and commit: ", command(events.back()->confirm));
  }
  const std::string more =
      events.size() < 2 ? "" : "; " + counted(events.size() - 1, "more new machine event");
  sentence.push_back(words(more + "; " + rest_text(trend)));
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

Prose first_sentence(const TrendDigest& trend) {
  const std::vector<Finding> fresh = in_state(trend.findings, AlertState::fresh);
  if (!fresh.empty()) {
    return alert_sentence(trend, fresh, "new alert");
  }
  const std::vector<Finding> reopened = in_state(trend.findings, AlertState::reopened);
  if (!reopened.empty()) {
    return alert_sentence(trend, reopened, "reopened alert");
  }
  const std::vector<const MachineEvent*> events = new_events(trend.report);
  if (!events.empty()) {
    return event_sentence(trend, events);
  }
  return {{trend_mood(trend) == Mood::good ? Tone::good : Tone::strong, "Nothing new"},
          words(": " + rest_text(trend))};
}

/// Before the first night, or where nothing matches.
std::vector<Prose> empty_sentences(const TrendReport& report) {
  Prose what{{Tone::strong, report.filtered ? "Nothing matches" : "No data yet"},
             ": no measurement of size "};
  append(what, data(report.size),
         words(std::string(report.filtered ? ", -w and --metric" : "") + " is stored for the " +
               counted(report.line, "commit", "commits that lead to ")));
  if (report.line == 1) {
    what.push_back(" ");
  }
  what.push_back(data(short_oid(report.head.oid)));
  if (report.filtered) {
    return {what};
  }
  return {what,
          {"measure every night: ", command("perf-compare collect HEAD"), "; for past commits, ",
           command("perf-compare collect A..B")}};
}

/// Series that are too short need more nights.
std::vector<Prose> young_sentences(const TrendDigest& trend) {
  const TrendReport& report = trend.report;
  const std::size_t most = report.longest;
  if (report.points_wanted == 0 && !report.visible_in_half && trend.counts.fresh == 0 &&
      std::ranges::any_of(report.series, &TrendSeries::live)) {
    return {{"no step of ", number(percentage(report.policy.threshold)),
             " can be found in this noise: see ", command("perf-compare doctor")}};
  }
  if (report.points_wanted <= most) {
    return {};
  }
  return {{"a step of ", number(percentage(report.policy.threshold)),
           words(" needs about " + counted(report.points_wanted, "measured commit") +
                 " to be found, of " + std::to_string(most) + " so far: run "),
           command("perf-compare collect HEAD"), " every night"}};
}

/// How small a step a calm report would have shown: "a step of 1.2 % or more would have been seen
/// within 10 commits in half of them, of 8.1 % or more in all".
std::vector<Prose> visible_sentences(const TrendDigest& trend) {
  const TrendReport& report = trend.report;
  if (!report.visible_in_half || trend.counts.fresh > 0 || !new_events(report).empty()) {
    return {};
  }
  const std::string half = rough_percentage(*report.visible_in_half);
  const std::string all = report.visible_in_all ? rough_percentage(*report.visible_in_all) : "";
  Prose sentence = joined("a step of ", number(half), " or more would have been found within ",
                          words(std::to_string(kSeenWithin) + " commits"));
  if (half != all) {
    sentence.push_back(words(" in half of the series"));
  }
  if (half != all && !all.empty()) {
    append(sentence, ", of ", number(all), " or more in all");
  }
  return {sentence};
}

/// "a step of 20 % or more can be found now, of 8 % or more in 7 nights".
std::vector<Prose> findable_sentences(const TrendDigest& trend) {
  const TrendReport& report = trend.report;
  if (!report.findable_in_week || trend.counts.fresh > 0) {
    return {};
  }
  const std::string later = rough_percentage(*report.findable_in_week);
  if (!report.findable_now) {
    return {{"no step can be found yet, one of ", number(later), " or more in 7 nights"}};
  }
  return {{"a step of ", number(rough_percentage(*report.findable_now)),
           " or more can be found now, of ", number(later), " or more in 7 nights"}};
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
  Prose sentence{words("of " + counted(all, "comparison") + " run to verify: "),
                 {regressed > 0 ? Tone::bad : Tone::good, std::to_string(regressed) + " regressed"},
                 words(", " + std::to_string(not_worse) + " did not")};
  if (undecided > 0) {
    append(sentence, ", ", warn(std::to_string(undecided) + " undecided"));
  }
  return {sentence};
}

}  // namespace

std::vector<Prose> trend_headline(const TrendDigest& trend) {
  if (trend.report.series.empty()) {
    return empty_sentences(trend.report);
  }
  std::vector<Prose> sentences{first_sentence(trend)};
  append(sentences, visible_sentences(trend));
  append(sentences, confirmation_sentences(trend.report));
  append(sentences, findable_sentences(trend));
  append(sentences, young_sentences(trend));
  return sentences;
}

Mood trend_mood(const TrendDigest& trend) {
  const TrendCounts& counts = trend.counts;
  if (counts.fresh + counts.reopened > 0) {
    return Mood::bad;
  }
  const bool settled = counts.points > 0 && counts.known == 0 && counts.suspects == 0 &&
                       new_events(trend.report).empty();
  return settled ? Mood::good : Mood::unsettled;
}

}  // namespace perf::reporter
