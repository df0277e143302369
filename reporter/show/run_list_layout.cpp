#include <algorithm>
#include <string>

#include "reporter/layout.h"
#include "reporter/show/run_phrases.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

Prose headline(const RunList& list) {
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

Document lay_out(const RunList& list) {
  Document document;
  document.headline = {headline(list)};
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
    next.lines.push_back(next_step("to look at one: ", "show", list.runs.front()));
  }
  const auto reported = std::ranges::find_if(list.runs, has_report);
  if (reported != list.runs.end()) {
    next.lines.push_back(next_step("a report again: ", "report", *reported));
  }
  if (list.more) {
    next.lines.push_back({"older ones: ", command("perf-compare list --limit 100")});
  }
  document.sections = {{.table = run_table(list.runs)}, std::move(next)};
  return document;
}

}  // namespace perf::reporter
