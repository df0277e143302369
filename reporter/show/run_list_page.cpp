#include <algorithm>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/pages.h"
#include "reporter/show/run_phrases.h"
#include "reporter/text/wording.h"
#include "schema/text/utf8.h"
#include "schema/verdict.h"

namespace perf::reporter {
namespace {

// What the other columns of the table leave of 100.
constexpr std::size_t kSubjectColumns = 34;
constexpr std::size_t kSizeColumns = 7;
constexpr std::size_t kShardColumns = 6;

std::string commit_text(const ListedCommit& commit) {
  return commit.oid.substr(0, kShownId) + (commit.dirty ? "+" : "");
}

/// At most `limit` columns of its beginning, where subjects differ.
std::string beginning_of(const std::string& text, std::size_t limit) {
  if (display_width(text) <= limit) {
    return text;
  }
  std::string beginning;
  for (const char32_t code : decode_utf8(text)) {
    std::string longer = beginning;
    append_utf8(longer, code);
    if (display_width(longer) + 1 > limit) {
      break;
    }
    beginning = std::move(longer);
  }
  return beginning + "\u2026";
}

/// "compare"; "compare 2/4": a shard.
std::string kind_text(const ListedRun& run) {
  return std::string(to_string(run.kind)) + (run.shard ? " " + to_text(*run.shard) : "");
}

/// "2026-01-31 12:00" of a UTC time in ISO 8601.
std::string minute_of(const std::string& time) {
  constexpr std::size_t kDay = 10, kMinute = 16;
  if (time.size() < kMinute || time[kDay] != 'T') {
    return time;
  }
  return time.substr(0, kDay) + " " + time.substr(kDay + 1, kMinute - kDay - 1);
}

/// "3f2a9c01..9b1ce2aa Compute more waves": both commits, and head's subject in what is left of
/// `limit` columns; an import: the file.
Prose subject_phrase(const ListedRun& run, std::size_t limit) {
  const std::string commits =
      (run.base ? commit_text(*run.base) + ".." : std::string()) + commit_text(run.head);
  const std::string subject =
      one_line(run.kind == RunKind::imported ? run.source : run.head.subject);
  const std::size_t taken = commits.size() + 1;
  Prose phrase{name(commits)};
  if (taken < limit && !subject.empty()) {
    append(phrase, " ", data(beginning_of(subject, limit - taken)));
  }
  return phrase;
}

Prose list_headline(const RunList& list) {
  if (list.all == 0) {
    return {strong("No runs yet"), " in ", data(list.store)};
  }
  if (list.runs.empty()) {
    return {strong("None"), words(" of " + counted(list.all, "run") + " measured such a workload")};
  }
  const auto shown = static_cast<std::int64_t>(list.runs.size());
  Prose sentence{strong(counted(shown, "run"))};
  if (list.more) {
    sentence.push_back(
        words(", the latest of " + (list.workloads.empty() ? std::to_string(list.all)
                                                           : std::string("those that match"))));
  } else if (shown < list.all) {
    sentence.push_back(words(" of " + std::to_string(list.all)));
  }
  append(sentence, " in ", data(list.store));
  return sentence;
}

Prose next_step(const std::string& words_before, const std::string& subcommand,
                const ListedRun& run) {
  return {words(words_before),
          command("perf-compare " + subcommand + " " + run.id.substr(0, kShownId))};
}

}  // namespace

Span ending_span(const ListedRun& run) {
  if (!run.finished) {
    return warn("unfinished");
  }
  if (run.interrupted) {
    return warn("interrupted");
  }
  // What was not compared has a verdict by name only: all of it is new.
  if (!run.verdict || !run.base || run.kind == RunKind::calibrate) {
    return dim("-");
  }
  for (const Verdict verdict : kVerdicts) {
    if (to_string(verdict) == *run.verdict) {
      return {tone_of(verdict), *run.verdict};
    }
  }
  return data(*run.verdict);
}

bool has_report(const ListedRun& run) {
  return run.verdict && (run.kind == RunKind::compare || run.kind == RunKind::collect ||
                         run.kind == RunKind::bisect);
}

Table run_table(const std::vector<ListedRun>& runs) {
  Table table;
  if (runs.empty()) {
    return table;
  }
  const bool sized = std::ranges::any_of(
      runs, [&runs](const ListedRun& run) { return run.size != runs.front().size; });
  table.columns = {"run", "began", "kind", "verdict", "commits"};
  if (sized) {
    table.columns.push_back("size");
  }
  table.columns.push_back(right("processes"));
  std::size_t limit = sized ? kSubjectColumns - kSizeColumns : kSubjectColumns;
  if (std::ranges::any_of(runs, [](const ListedRun& run) { return run.shard.has_value(); })) {
    limit -= kShardColumns;
  }
  for (const ListedRun& run : runs) {
    Row row{.cells = {{name(run.id.substr(0, kShownId))},
                      {data(minute_of(run.started_at))},
                      {data(kind_text(run))},
                      {ending_span(run)},
                      subject_phrase(run, limit)}};
    if (sized) {
      row.cells.push_back({data(run.size)});
    }
    row.cells.push_back({number(std::to_string(run.processes))});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Document page_of(const RunList& list) {
  Document document;
  document.headline = {list_headline(list)};
  if (list.all == 0) {
    document.sections = {{.lines = {{"to measure: ", command("perf-compare")}}}};
    return document;
  }
  Section next;
  const bool unfinished =
      std::ranges::any_of(list.runs, [](const ListedRun& run) { return !run.finished; });
  if (unfinished) {
    next.lines.push_back({dim("unfinished: still measuring, or killed")});
  }
  if (!list.runs.empty()) {
    next.lines.push_back(next_step("to show one: ", "show", list.runs.front()));
  }
  const auto reported = std::ranges::find_if(list.runs, has_report);
  if (reported != list.runs.end()) {
    next.lines.push_back(next_step("to show a report: ", "report", *reported));
  }
  if (list.more) {
    next.lines.push_back({"for older runs: ", command("perf-compare list --limit 100")});
  }
  document.sections = {{.table = run_table(list.runs)}, std::move(next)};
  return document;
}

}  // namespace perf::reporter
