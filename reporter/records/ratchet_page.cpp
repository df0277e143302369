#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"
#include "schema/text/wording.h"

namespace perf::reporter {
namespace {

/// "+3.1 %", of a gain in ln.
std::string gain_text(const RatchetEnd& end) {
  std::optional<Interval> interval;
  if (end.interval) {
    interval = Interval{std::expm1(end.interval->low), std::expm1(end.interval->high)};
  }
  return end.gains.empty() ? "-" : change_text(std::expm1(end.estimate), interval);
}

std::string pairs_text(const RatchetEnd& end) {
  return counted(end.gains.size(), "pair");
}

/// "`step_time` +3.1 % better than 3f2a9c01d2e4 Subject, by 7 pairs".
Prose gain_phrase(const RatchetRun& run) {
  return joined(name(run.goal.metric), " ", number(gain_text(*run.end)), " against ",
                short_commit_phrase(run.best), words(", " + pairs_text(*run.end)));
}

Prose why_not_accepted(const RatchetRun& run) {
  switch (run.end->outcome) {
    case AttemptOutcome::refused:
      return {words("the estimated gain is below "), number(percentage(run.goal.at_least)),
              words(" (" + gain_text(*run.end) + ", " + pairs_text(*run.end) + ")")};
    case AttemptOutcome::not_proven:
      return {data(run.end->reason),
              words(" by " + pairs_text(*run.end) + "; the same command continues with more")};
    case AttemptOutcome::stopped:
      return {data(run.end->reason),
              words(" after " + pairs_text(*run.end) + "; the same command continues")};
    default:
      return {data(run.end->reason)};
  }
}

std::vector<Prose> headline_of(const RatchetAnswer& answer) {
  const RatchetRun& run = answer.run;
  const Prose head = short_commit_phrase(run.head);
  switch (run.end->outcome) {
    case AttemptOutcome::accepted:
      return {joined(good("Accepted"), ": ", head, " is the new ", name(run.name)),
              gain_phrase(run)};
    case AttemptOutcome::proven:
      return {joined(good("Proven, but not accepted (--dry-run)"), ": ", head), gain_phrase(run)};
    case AttemptOutcome::failed:
      return {joined(bad("Not measured"), ": ", data(run.end->reason))};
    default:
      return {joined(warn("Not accepted"), ": ", why_not_accepted(run))};
  }
}

Table guarded_table(const RatchetEnd& end) {
  Table table{{"must not get worse", "metric", right("gain"), right("allowed loss"), ""}};
  for (const GuardedSeries& one : end.guarded) {
    table.rows.push_back({{{name(one.workload)},
                           {name(one.metric)},
                           {number(change_text(std::expm1(one.gain)))},
                           {number(percentage(one.threshold))},
                           {one.passes ? good("passes") : warn("not proven")}}});
  }
  return table;
}

/// "The whole gain, measured anew: +52.2 % [+50.1, +54.4] (20 pairs)".
Prose whole_gain(const RatchetRun& run) {
  if (!run.end || !run.end->interval) {
    return {warn("The whole gain was not measured"),
            words(run.end ? ": " + run.end->reason : std::string())};
  }
  return {strong("The whole gain, measured anew: "),
          name(run.goal.metric),
          " ",
          number(gain_text(*run.end)),
          words(" (" + pairs_text(*run.end) + ", "),
          data(run.best.oid.substr(0, kShortOid)),
          words(" to "),
          data(run.head.oid.substr(0, kShortOid)),
          words(")")};
}

/// "evidence 12 of the 330 needed"; less is enough where the range of the pairs proves the gain.
std::string evidence_text(const RatchetEnd& end, double level) {
  const double needed = 1 / (0.8 * level);
  const bool is_proven =
      end.outcome == AttemptOutcome::accepted || end.outcome == AttemptOutcome::proven;
  return is_proven && end.evidence < needed
             ? "proven by the range of its pairs"
             : "evidence " + fixed(end.evidence, end.evidence < 10 ? 1 : 0) + " of the " +
                   rough_count(needed) + " needed";
}

Prose outcome_cell(const RatchetRun& run) {
  if (!run.end) {
    return {dim("unfinished: still measuring, or killed")};
  }
  const std::string word(to_string(run.end->outcome));
  Prose cell{is_accepted(run) ? good(word.c_str()) : Span{Tone::plain, word}};
  if (!run.end->reason.empty() && run.end->outcome != AttemptOutcome::refused) {
    append(cell, words(": "), data(run.end->reason));
  }
  return cell;
}

Table attempts_table(const RatchetLog& log) {
  Table table{{right("attempt"), "commit", right("gain"), right("pairs"), "outcome", "subject"}};
  for (const RatchetRun& run : log.runs) {
    if (run.is_attempt) {
      const bool has_end = run.end.has_value();
      table.rows.push_back({{{number(std::to_string(run.number))},
                             {name(run.head.oid.substr(0, kShortOid))},
                             {number(has_end ? gain_text(*run.end) : "-")},
                             {number(has_end ? std::to_string(run.end->gains.size()) : "-")},
                             outcome_cell(run),
                             {data(run.head.subject)}}});
    }
  }
  return table;
}

}  // namespace

Document page_of(const RatchetAnswer& answer) {
  const RatchetRun& run = answer.run;
  const RatchetEnd& end = *run.end;
  const bool is_good =
      end.outcome == AttemptOutcome::accepted || end.outcome == AttemptOutcome::proven;
  Document document{is_good                                 ? Mood::good
                    : end.outcome == AttemptOutcome::failed ? Mood::bad
                                                            : Mood::unsettled,
                    headline_of(answer)};
  keep(document.sections, {.table = guarded_table(end)});
  std::vector<Prose> lines;
  if (run.number > 0) {
    lines.push_back(
        {dim((answer.is_repeated ? "rejected before, in attempt " : "attempt ") +
             std::to_string(run.number) + " of "),
         data(run.name), dim(", " + evidence_text(end, answer.level)),
         dim(answer.is_repeated ? "" : ", " + elapsed(answer.measured) + " of measuring")});
  }
  if (answer.gain) {
    lines.push_back(whole_gain(*answer.gain));
  }
  keep(document.sections, {.lines = std::move(lines)});
  return document;
}

Document page_of(const RatchetLog& log) {
  const auto attempts = std::ranges::count(log.runs, true, &RatchetRun::is_attempt);
  const auto accepted = std::ranges::count_if(log.runs, is_accepted);
  const std::vector<const RatchetRun*> way = way_to(log.best.oid, log.runs);
  const auto measured = std::find_if(log.runs.rbegin(), log.runs.rend(), [&](const auto& run) {
    return !run.is_attempt && run.end && run.end->interval && run.head.oid == log.best.oid;
  });
  Document document{
      Mood::good,
      {joined(strong(log.name), words(" is "), name(log.best.oid.substr(0, kShortOid)),
              words(": " + std::to_string(accepted) + " of " + counted(attempts, "attempt") +
                    " accepted"))}};
  std::vector<Prose> lines;
  if (measured != log.runs.rend()) {
    lines.push_back(whole_gain(*measured));
  } else if (!way.empty()) {
    lines.push_back({words("its whole gain is not measured yet: "),
                     command("perf-compare ratchet " + log.name + " --log --measure")});
  }
  if (!way.empty()) {
    lines.push_back({dim("sum of the estimates of its accepted attempts: "),
                     name(way.front()->goal.metric), " ",
                     number(change_text(std::expm1(claimed_gain(way))))});
  }
  keep(document.sections, {.lines = std::move(lines)});
  keep(document.sections, {.table = attempts_table(log)});
  return document;
}

}  // namespace perf::reporter
