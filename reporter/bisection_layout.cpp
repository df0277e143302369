#include <algorithm>
#include <string>
#include <utility>

#include "reporter/commit_phrase.h"
#include "reporter/layout.h"
#include "reporter/quantity.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr double kBadFrom = 0.9, kGoodUpTo = 0.1;

/// "`waves` step_time is +4.8 % [+3.9, +5.5] at BAD against GOOD (11 pairs)".
Prose ends_phrase(const Bisection& bisection) {
  Prose phrase{
      name(bisection.workload),
      words(" "),
      name(bisection.metric.name),
      words(" is "),
      number(change_text(bisection.end_change, bisection.end_interval)),
      words(" at BAD against GOOD (" + counted(bisection.end_pairs, "pair", "pairs") + ")")};
  return phrase;
}

/// "97 %"; never 100 %, which no measurement gives.
std::string probability_text(double probability) {
  const double percent = 100 * probability;
  return percent > 99.9 ? "over 99.9 %" : fixed(percent, percent > 99 ? 1 : 0) + " %";
}

Prose found_sentence(const Bisection& bisection) {
  Prose sentence =
      joined(Span{Tone::bad, bisection.candidates.empty()
                                 ? "First bad commit"
                                 : "First bad commit is one of " +
                                       std::to_string(bisection.candidates.size() + 1) + ", up to"},
             words(": "), commit_phrase(*bisection.first_bad));
  return sentence;
}

/// What speaks against the answer, and which commits may be meant as well.
std::vector<Prose> doubts(const Bisection& bisection) {
  std::vector<Prose> sentences;
  if (!bisection.certain) {
    sentences.push_back({{Tone::warn, "Not certain"},
                         words(": more pairs would not have told it better; the probability is "),
                         number(probability_text(bisection.probability))});
  }
  if (!bisection.candidates.empty()) {
    sentences.push_back(
        {words("these before it could not be measured, so that each of them may be "
               "the one:")});
    for (const Revision& candidate : bisection.candidates) {
      sentences.push_back(commit_phrase(candidate));
    }
  }
  return sentences;
}

/// The search came to an end that the ordinary rule does not bear out, or whose last comparison
/// failed; its own report, which follows, says why.
std::vector<Prose> unconfirmed_sentences(const Bisection& bisection) {
  return {
      joined(Span{Tone::warn, "No commit could be confirmed"}, words(": the search led to "),
             commit_phrase(*bisection.first_bad)),
      {words(bisection.answer == BisectionAnswer::unconfirmed
                 ? "but compared with the last good commit it is not shown to be worse: several "
                   "commits may have changed a little, or the machine is too noisy; another "
                   "--seed starts afresh"
                 : "but it could not be compared with the last good commit, for the reason "
                   "below; another --seed starts afresh")}};
}

std::vector<Prose> unfinished_sentences(const Bisection& bisection) {
  Prose why{
      Span{Tone::warn, bisection.interrupted ? "Interrupted" : "Not finished"},
      words(bisection.interrupted ? " after " + elapsed(bisection.measured) + " of measuring"
                                  : ": the budget is spent after " + elapsed(bisection.measured)),
      words("; what was measured is kept, and the same command goes on" +
            std::string(bisection.interrupted ? "" : " with a larger --budget"))};
  std::vector<Prose> sentences{why};
  if (bisection.first_bad) {
    Prose so_far =
        joined(words("likeliest so far ("), number(probability_text(bisection.probability)),
               words("): "), commit_phrase(*bisection.first_bad));
    sentences.push_back(so_far);
  }
  return sentences;
}

std::vector<Prose> headline_of(const Bisection& bisection) {
  std::vector<Prose> sentences;
  switch (bisection.answer) {
    case BisectionAnswer::found:
      sentences.push_back(found_sentence(bisection));
      append(sentences, doubts(bisection));
      break;
    case BisectionAnswer::unconfirmed:
    case BisectionAnswer::unmeasured:
      return unconfirmed_sentences(bisection);
    case BisectionAnswer::not_worse:
      sentences.push_back({{Tone::good, "No regression to search for"},
                           words(": BAD is not worse than GOOD by "),
                           number(percentage(bisection.threshold)),
                           words(" or more")});
      break;
    case BisectionAnswer::undecided:
      sentences.push_back({{Tone::warn, "GOOD and BAD cannot be told apart"},
                           words(": neither a regression nor its absence ("),
                           number(percentage(bisection.threshold)),
                           words(") could be shown")});
      break;
    case BisectionAnswer::unfinished:
      return unfinished_sentences(bisection);
  }
  return sentences;
}

Mood mood_of(const Bisection& bisection) {
  return bisection.answer == BisectionAnswer::found       ? Mood::bad
         : bisection.answer == BisectionAnswer::not_worse ? Mood::good
                                                          : Mood::unsettled;
}

Prose verdict_cell(const Bisection& bisection, const VisitedCommit& visited) {
  if (!bisection.first_bad) {
    return {dim("-")};
  }
  const double bad = visited.probability;
  const Span verdict = bad >= kBadFrom    ? Span{Tone::bad, "bad"}
                       : bad <= kGoodUpTo ? Span{Tone::good, "good"}
                                          : Span{Tone::warn, "open"};
  return {verdict};
}

Table visited_table(const Bisection& bisection) {
  Table table;
  table.columns = {"commit", right("change against GOOD"), right("pairs"),
                   "",       right("probability"),         "subject"};
  for (const VisitedCommit& visited : bisection.visited) {
    const double sure = std::max(visited.probability, 1 - visited.probability);
    table.rows.push_back({{{name(visited.revision.oid.substr(0, kShortOid))},
                           {number(change_text(visited.change, visited.interval))},
                           {number(std::to_string(visited.pairs))},
                           verdict_cell(bisection, visited),
                           {number(bisection.first_bad ? probability_text(sure) : "-")},
                           {data(visited.revision.subject)}}});
  }
  return table;
}

std::vector<Prose> skipped_lines(const Bisection& bisection) {
  std::vector<Prose> lines;
  for (const SkippedCommit& skipped : bisection.skipped) {
    Prose line{Span{Tone::warn, "skipped"}, words(" "),
               data(skipped.revision.oid.substr(0, kShortOid)), words(": "), data(skipped.reason)};
    lines.push_back(std::move(line));
  }
  return lines;
}

/// "7 of 64 commits measured, 26 pairs, 12 s of measuring, size ci".
Prose effort_line(const Bisection& bisection) {
  Prose line{dim(std::to_string(bisection.visited.size()) + " of " +
                 counted(bisection.commits, "commit", "commits") + " measured, " +
                 counted(bisection.pairs, "pair", "pairs") + ", " + elapsed(bisection.measured) +
                 " of measuring, size "),
             data(bisection.size)};
  return line;
}

/// The last comparison, as its own report has it: its headline becomes a line.
void add_comparison(const Bisection& bisection, Document& document) {
  if (!bisection.comparison) {
    return;
  }
  Document comparison = lay_out(*bisection.comparison);
  Section head;
  head.lines.push_back({strong("It against the last good commit, by the ordinary rule:")});
  append(head.lines, comparison.headline);
  document.sections.push_back(std::move(head));
  for (Section& section : comparison.sections) {
    document.sections.push_back(std::move(section));
  }
}

}  // namespace

Document lay_out(const Bisection& bisection) {
  Document document{mood_of(bisection), headline_of(bisection), {}, {}};
  keep(document.sections, {.table = visited_table(bisection)});
  Section evidence;
  if (bisection.end_change) {
    evidence.lines.push_back(ends_phrase(bisection));
  }
  if (bisection.answer == BisectionAnswer::found && bisection.certain) {
    evidence.lines.push_back({words("probability of the answer, given what was measured: "),
                              number(probability_text(bisection.probability))});
  }
  evidence.lines.push_back(effort_line(bisection));
  append(evidence.lines, skipped_lines(bisection));
  document.sections.push_back(std::move(evidence));
  add_comparison(bisection, document);
  document.sections.push_back(
      {.title = "How to bisect again", .folded = true, .commands = bisection.reproduce});
  return document;
}

}  // namespace perf::reporter
