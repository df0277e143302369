#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "reporter/pages.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

std::string runs_text(const Collection& collection) {
  return collection.anchor ? counted(collection.wanted, "pair")
                           : counted(collection.wanted, "process", "processes");
}

Span status_span(CollectedStatus status) {
  static const Span kSpans[] = {good("measured"),
                                bad("failed"),
                                {Tone::dim, "measured before"},
                                warn("left"),
                                {Tone::dim, "same program"}};
  return kSpans[static_cast<std::size_t>(status)];
}

std::int64_t failed_workloads(const CollectedCommit& commit) {
  return std::ranges::count(commit.workloads, CollectedStatus::failed, &CollectedWorkload::status);
}

/// "1.9 %": from the least value to the greatest, in units of the median. One value has none.
std::string spread_text(const CollectedValue& value, int processes) {
  if (processes < 2) {
    return "-";
  }
  const double spread = (value.max - value.min) / value.median;
  return std::isfinite(spread) ? rough_percentage(spread) : "-";
}

std::string value_text(const std::optional<CollectedValue>& value, const std::string& unit) {
  return value ? quantity(value->median, unit) : "-";
}

/// The sentence on a single revision.
Prose revision_sentence(const Collection& collection, const CollectedCommit& commit) {
  const std::int64_t failed = failed_workloads(commit);
  const Span kEndings[] = {// by status
                           {failed == 0 ? Tone::good : Tone::warn, "Measured"},
                           bad("Not measured"),
                           good("Nothing to measure"),
                           warn(collection.interrupted ? "Interrupted" : "Not finished"),
                           good("Nothing to measure")};
  Prose sentence = joined(kEndings[static_cast<std::size_t>(commit.status)], ": ",
                          short_commit_phrase(commit.revision));
  if (commit.status == CollectedStatus::skipped) {
    sentence.push_back(
        words(" was measured before, " + runs_text(collection) + " of every workload"));
  } else if (commit.status == CollectedStatus::same) {
    sentence.push_back(words(" runs programs that were measured at other commits"));
  } else if (failed > 0 && commit.failure.empty()) {
    sentence.push_back(words("; " + counted(failed, "workload") + " could not be measured"));
  }
  return sentence;
}

/// Commits that were measured, or are left, and at which a workload failed all the same.
std::int64_t partly_failed(const Collection& collection) {
  return std::ranges::count_if(collection.commits, [](const CollectedCommit& commit) {
    return commit.status != CollectedStatus::failed && failed_workloads(commit) > 0;
  });
}

constexpr const char* kMeasuredAtOthers[] = {" runs a program measured at three others",
                                             " run a program measured at three others"};

/// "41 commits: 38 measured, 1 could not be measured, 2 measured before; a workload failed at 3 of
/// them".
Prose range_sentence(const Collection& collection) {
  Prose sentence{strong(counted(collection.commits.size(), "commit")), ": "};
  std::vector<std::string> counts;
  for (const auto& [status, text] : {std::pair{CollectedStatus::measured, " measured"},
                                     {CollectedStatus::failed, " could not be measured"},
                                     {CollectedStatus::skipped, " measured before"},
                                     {CollectedStatus::same, ""},
                                     {CollectedStatus::left, " left"}}) {
    if (const int count = count_of(collection, status); count > 0) {
      const bool is_same = status == CollectedStatus::same;
      counts.push_back(std::to_string(count) + (is_same ? kMeasuredAtOthers[count > 1] : text));
    }
  }
  sentence.push_back(words(perf::joined(counts, ", ")));
  if (const std::int64_t failed = partly_failed(collection); failed > 0) {
    append(sentence, "; ", warn("a workload failed"),
           words(collection.commits.size() == 1 ? " at it"
                                                : " at " + std::to_string(failed) + " of them"));
  }
  return sentence;
}

std::vector<Prose> headline_of(const Collection& collection) {
  if (collection.commits.empty()) {
    return {{strong("Nothing to measure"), ": ", data(collection.asked), " contains no commit"}};
  }
  return {collection.is_range ? range_sentence(collection)
                              : revision_sentence(collection, collection.commits.front())};
}

Mood mood_of(const Collection& collection) {
  Mood mood = Mood::good;
  for (const CollectedCommit& commit : collection.commits) {
    if (commit.status == CollectedStatus::failed) {
      return Mood::bad;
    }
    if (commit.status == CollectedStatus::left || failed_workloads(commit) > 0) {
      mood = Mood::unsettled;
    }
  }
  return mood;
}

Row workload_row(const Collection& collection, const CollectedWorkload& workload) {
  Row row{
      .cells = {{name(workload.workload)},
                {number(value_text(workload.step_time, "s"))},
                {number(workload.step_time ? spread_text(*workload.step_time, workload.invocations)
                                           : "-")},
                {number(value_text(workload.peak_rss, "B"))}}};
  if (collection.anchor) {
    row.cells.push_back({number(change_text(workload.change, workload.interval))});
  }
  row.cells.push_back(
      {number(std::to_string(collection.anchor ? workload.pairs : workload.invocations))});
  row.cells.push_back({status_span(workload.status)});
  row.subject = {name(workload.workload)};
  return row;
}

/// A single revision: a row a workload.
Section workload_section(const Collection& collection, const CollectedCommit& commit) {
  Section section{.table = {.columns = {"workload", right("step time"), right("spread"),
                                        right("peak memory")}}};
  if (collection.anchor) {
    section.table.columns.push_back(right("against anchor"));
  }
  section.table.columns.push_back(right(collection.anchor ? "pairs" : "processes"));
  section.table.columns.push_back("");
  for (const CollectedWorkload& workload : commit.workloads) {
    section.table.rows.push_back(workload_row(collection, workload));
    if (!workload.failure.empty() && commit.failure.empty()) {
      section.table.rows.back().remarks = {{data(workload.failure)}};
    }
  }
  if (!commit.failure.empty()) {
    section.lines = {{data(commit.failure)}};  // the one reason of all rows
  } else if (!section.table.rows.empty()) {
    section.lines.push_back(
        {dim("step time: median over the processes of their median steps; spread: from the fastest "
             "process to the slowest")});
  }
  return section;
}

/// Of a commit that was measured, what failed all the same: "parser: exit code 1".
std::vector<Prose> failures_of(const CollectedCommit& commit) {
  std::vector<Prose> lines;
  if (!commit.failure.empty()) {
    return {{data(commit.failure)}};
  }
  for (const CollectedWorkload& workload : commit.workloads) {
    if (!workload.failure.empty()) {
      lines.push_back({name(workload.workload), ": ", data(workload.failure)});
    }
  }
  return lines;
}

/// Whether no commit has more than one series: its times fit into the row of the commit.
bool has_one_series(const Collection& collection) {
  return std::ranges::all_of(collection.commits, [](const CollectedCommit& commit) {
    return commit.workloads.size() < 2;
  });
}

/// A range: a row a commit, oldest first.
Section commit_section(const Collection& collection) {
  const bool has_times = has_one_series(collection);
  Section section{.first_to_cut = true, .table = {.columns = {"commit", ""}}};
  if (has_times) {
    section.table.columns.push_back(right("step time"));
  }
  section.table.columns.push_back(right("took"));
  section.table.columns.push_back("subject");
  for (const CollectedCommit& commit : collection.commits) {
    const Span oid = name(short_oid(commit.revision.oid));
    Row row{.cells = {{oid}, {status_span(commit.status)}},
            .subject = {oid},
            .remarks = failures_of(commit)};
    if (has_times) {
      row.cells.push_back({number(
          commit.workloads.empty() ? "-" : value_text(commit.workloads.front().step_time, "s"))});
    }
    row.cells.push_back({number(commit.measured > 0 ? elapsed(commit.measured) : "-")});
    row.cells.push_back({data(commit.revision.subject)});
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

/// Whether some of what was wanted was there already.
bool was_completed(const Collection& collection) {
  const auto is_completed = [&](const CollectedWorkload& workload) {
    const int done = collection.anchor ? workload.pairs : workload.invocations;
    return workload.status == CollectedStatus::measured && workload.failure.empty() &&
           done < collection.wanted;
  };
  return std::ranges::any_of(collection.commits, [&](const CollectedCommit& commit) {
    return std::ranges::any_of(commit.workloads, is_completed);
  });
}

/// What ended it, and how to go on.
Section ending_section(const Collection& collection) {
  Section section;
  if (collection.anchor) {
    section.lines.push_back(joined(dim("anchor "), short_commit_phrase(*collection.anchor),
                                   dim(" ("), data(collection.anchor->name),
                                   dim("), each pair in random order")));
  }
  section.lines.push_back(
      {dim((was_completed(collection) ? "completed to " : "") + runs_text(collection) +
           " of every workload, " +
           (collection.measured > 0 ? elapsed(collection.measured) + " of measuring"
                                    : "nothing measured") +
           ", size "),
       data(collection.size)});
  if (const int left = count_of(collection, CollectedStatus::left); left > 0) {
    const std::string why = collection.interrupted    ? "interrupted"
                            : collection.budget_spent ? "the budget is spent"
                                                      : "not finished";
    section.lines.push_back(
        {warn(why), words("; measurements are kept, " + counted(left, "commit") + " left")});
    section.lines.push_back({dim("to continue: "), command(collection.go_on)});
  }
  return section;
}

}  // namespace

Document page_of(const Collection& collection) {
  Document document{.mood = mood_of(collection), .headline = headline_of(collection)};
  keep(document.sections, collection.is_range || collection.commits.empty()
                              ? commit_section(collection)
                              : workload_section(collection, collection.commits.front()));
  document.sections.push_back(ending_section(collection));
  return document;
}

}  // namespace perf::reporter
