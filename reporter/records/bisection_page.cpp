#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/text/lists.h"

namespace perf::reporter {
namespace {

std::string no_clear_answer(const std::string& kind) {
  return "several " + kind +
         "s may have changed a little, or the machine is too noisy; try another --seed";
}

constexpr double kBadFrom = 0.9, kGoodUpTo = 0.1;

/// "commit" or "item".
std::string kind_of(const Bisection& bisection) {
  return is_command(bisection.bad) ? "item" : "commit";
}

Prose phrase_of(const Revision& revision) {
  return is_command(revision) ? Prose{data(revision.name)} : commit_phrase(revision);
}

/// "`waves` step_time is +4.8 % [+3.9, +5.5] at BAD against GOOD (11 pairs)".
Prose ends_phrase(const Bisection& bisection) {
  return {name(bisection.workload),
          " ",
          name(bisection.metric.name),
          " is ",
          number(change_text(bisection.end_change, bisection.end_interval)),
          words(" at BAD against GOOD (" + counted(bisection.end_pairs, "pair") + ")")};
}

/// "97 %"; never 100 %, which no measurement gives.
std::string probability_text(double probability) {
  const double percent = 100 * probability;
  return percent > 99.9 ? "over 99.9 %" : fixed(percent, percent > 99 ? 1 : 0) + " %";
}

Prose found_sentence(const Bisection& bisection) {
  const std::size_t others = bisection.candidates.size();
  const std::string of = others == 0 ? "" : " is one of " + std::to_string(others + 1) + ", up to";
  return joined(bad("First bad " + kind_of(bisection) + of), ": ", phrase_of(*bisection.first_bad));
}

/// Doubts about the answer, and which other commits are possible.
std::vector<Prose> doubts(const Bisection& bisection) {
  std::vector<Prose> sentences;
  if (!bisection.certain) {
    sentences.push_back({warn("Not certain"), ": more pairs would not help; the probability is ",
                         number(probability_text(bisection.probability))});
  }
  if (!bisection.candidates.empty()) {
    sentences.push_back(
        {words("the " + kind_of(bisection) +
               "s before it could not be measured; each of them may be the first bad one:")});
    for (const Revision& candidate : bisection.candidates) {
      sentences.push_back(phrase_of(candidate));
    }
  }
  return sentences;
}

/// The ordinary rule does not confirm the result, or the last comparison failed; the report of
/// that comparison, which follows, has the reason.
std::vector<Prose> unconfirmed_sentences(const Bisection& bisection) {
  const std::string kind = kind_of(bisection);
  return {joined(warn("No " + kind + " could be confirmed"), ": the search led to ",
                 phrase_of(*bisection.first_bad)),
          {words(bisection.answer == BisectionAnswer::unconfirmed
                     ? "but compared with the last good " + kind +
                           " it is not shown to be worse: " + no_clear_answer(kind)
                     : "but it could not be compared with the last good " + kind +
                           ", for the reason below; try another --seed")}};
}

std::vector<Prose> unfinished_sentences(const Bisection& bisection) {
  const std::string measured = elapsed(bisection.measured);
  const std::string kept =
      bisection.is_kept ? "; measurements are kept, and the same command continues" : "";
  std::vector<Prose> sentences;
  if (bisection.interrupted) {
    sentences = {{warn("Interrupted"), words(" after " + measured + " of measuring" + kept)}};
  } else {
    sentences = {{warn("Not finished"),
                  words(": the budget is spent after " + measured + kept +
                        (bisection.is_kept ? " with a larger --budget"
                                           : "; try a larger --budget, and --db to continue"))}};
  }
  if (bisection.first_bad) {
    sentences.push_back(joined("likeliest so far (",
                               number(probability_text(bisection.probability)),
                               "): ", phrase_of(*bisection.first_bad)));
  }
  return sentences;
}

std::vector<Prose> same_program_sentences(const Bisection& bisection) {
  const std::string kind = kind_of(bisection);
  if (!bisection.first_bad) {
    return {{good("No " + kind + " to search for"),
             ": BAD runs the same program as GOOD by its trace; to measure nevertheless: "},
            {command("--measure all")}};
  }
  const bool differ =
      bisection.comparison && bisection.comparison->summary.verdict == Verdict::regressed;
  return {joined(warn("No " + kind + " can be blamed"), ": the search led to ",
                 phrase_of(*bisection.first_bad)),
          differ ? Prose{warn("trace alarm"),
                         words(": its pairs differ from the last good " + kind +
                               "'s, although its traced program is the same: the trace misses an "
                               "input; to blame " +
                               (kind == "item" ? "an item" : "a commit") + " by pairs alone: "),
                         command("--measure all")}
                 : Prose{words("but it runs the same program as the last good " + kind + ": " +
                               (bisection.certain ? "the cause is outside the program"
                                                  : no_clear_answer(kind)))}};
}

std::vector<Prose> headline_of(const Bisection& bisection) {
  const Span threshold = number(percentage(bisection.threshold));
  switch (bisection.answer) {
    case BisectionAnswer::found: {
      std::vector<Prose> sentences{found_sentence(bisection)};
      append(sentences, doubts(bisection));
      return sentences;
    }
    case BisectionAnswer::unconfirmed:
    case BisectionAnswer::unmeasured:
      return unconfirmed_sentences(bisection);
    case BisectionAnswer::not_worse:
      return {{good("No regression to search for"), ": BAD is not worse than GOOD by ", threshold,
               " or more"}};
    case BisectionAnswer::undecided:
      return {{warn("GOOD and BAD cannot be told apart"), ": neither a regression of ", threshold,
               " nor its absence could be shown"}};
    case BisectionAnswer::same_program:
      return same_program_sentences(bisection);
    case BisectionAnswer::unfinished:
      break;
  }
  return unfinished_sentences(bisection);
}

Mood mood_of(const Bisection& bisection) {
  return bisection.answer == BisectionAnswer::found       ? Mood::bad
         : bisection.answer == BisectionAnswer::not_worse ? Mood::good
         : bisection.answer == BisectionAnswer::same_program && !bisection.first_bad
             ? Mood::good
             : Mood::unsettled;
}

Prose verdict_cell(const Bisection& bisection, const VisitedCommit& visited) {
  if (!bisection.first_bad) {
    return {dim("-")};
  }
  return {visited.probability >= kBadFrom    ? bad("bad")
          : visited.probability <= kGoodUpTo ? good("good")
                                             : warn("open")};
}

/// "program of GOOD".
std::string program_text(const Bisection& bisection, const VisitedCommit& visited) {
  return "program of " + (visited.same_as == bisection.good.oid  ? "GOOD"
                          : visited.same_as == bisection.bad.oid ? "BAD"
                                                                 : short_oid(visited.same_as));
}

Table visited_table(const Bisection& bisection) {
  const bool of_items = is_command(bisection.bad);
  Table table{{kind_of(bisection), right("change against GOOD"), right("pairs"), "",
               right("probability"), of_items ? "" : "subject"}};
  for (const VisitedCommit& visited : bisection.visited) {
    const double sure = std::max(visited.probability, 1 - visited.probability);
    table.rows.push_back(
        {{{name(short_name(visited.revision))},
          {visited.same_as.empty() ? number(change_text(visited.change, visited.interval))
                                   : data(program_text(bisection, visited))},
          {number(std::to_string(visited.pairs))},
          verdict_cell(bisection, visited),
          {number(bisection.first_bad ? probability_text(sure) : "-")},
          {data(of_items ? "" : visited.revision.subject)}}});
  }
  return table;
}

std::vector<Prose> skipped_lines(const Bisection& bisection) {
  return mapped(bisection.skipped, [&](const SkippedCommit& skipped) {
    return Prose{warn("skipped"), " ", data(short_name(skipped.revision)), ": ",
                 data(skipped.reason)};
  });
}

/// "7 of 64 commits measured, 26 pairs, 12 s of measuring, size ci".
Prose effort_line(const Bisection& bisection) {
  return {dim(std::to_string(std::ranges::count(bisection.visited, "", &VisitedCommit::same_as)) +
              " of " + counted(bisection.commits, kind_of(bisection)) + " measured, " +
              counted(bisection.pairs, "pair") + ", " + elapsed(bisection.measured) +
              " of measuring" + (is_command(bisection.bad) ? "" : ", size ")),
          data(is_command(bisection.bad) ? "" : bisection.size)};
}

/// The last comparison, as its own report has it: its headline becomes a line.
void add_comparison(const Bisection& bisection, Document& document) {
  if (!bisection.comparison) {
    return;
  }
  Document comparison = page_of(*bisection.comparison);
  std::vector<Prose> lines{{strong("Comparison with the last good " + kind_of(bisection) + ":")}};
  append(lines, comparison.headline);
  document.sections.push_back({.lines = std::move(lines)});
  std::ranges::move(comparison.sections, std::back_inserter(document.sections));
}

}  // namespace

Document page_of(const Bisection& bisection) {
  Document document{mood_of(bisection), headline_of(bisection)};
  keep(document.sections, {.table = visited_table(bisection)});
  std::vector<Prose> evidence;
  if (bisection.end_change) {
    evidence.push_back(ends_phrase(bisection));
  }
  if (bisection.answer == BisectionAnswer::found && bisection.certain) {
    evidence.push_back({"probability of the answer, given what was measured: ",
                        number(probability_text(bisection.probability))});
  }
  evidence.push_back(effort_line(bisection));
  append(evidence, skipped_lines(bisection));
  document.sections.push_back({.lines = std::move(evidence)});
  add_comparison(bisection, document);
  document.sections.push_back(
      {.title = "How to bisect again", .folded = true, .commands = bisection.reproduce});
  return document;
}

}  // namespace perf::reporter
