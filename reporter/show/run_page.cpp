#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reporter/comparison/report_sections.h"
#include "reporter/pages.h"
#include "reporter/show/run_phrases.h"
#include "reporter/text/quantity.h"
#include "reporter/text/wording.h"
#include "schema/revision.h"
#include "schema/text/text_parts.h"
#include "schema/text/utf8.h"

namespace perf::reporter {
namespace {

/// Bytes of the end of what a failed process printed; JSON has all that is kept.
constexpr std::size_t kPrintedEnd = 300;
/// Processes at the beginning and at the end that are shown, whatever became of them.
constexpr std::size_t kEnds = 10;

Prose run_headline(const RunView& view) {
  Prose sentence{strong("Run "), name(short_oid(view.run.id)), ": ",
                 data(std::string(to_string(view.run.kind))), ", "};
  const Span ending = ending_span(view.run);
  append(sentence, ending.text == "-" ? "finished" : ending, "; began ", data(view.run.started_at));
  return sentence;
}

Section where(const RunView& view) {
  Section section;
  if (view.plan.base) {
    section.lines.push_back(revision_line("base", *view.plan.base));
  }
  section.lines.push_back(revision_line("head", view.plan.head));
  section.lines.push_back(machine_line(view.plan.environment, view.plan.base.has_value()));
  section.lines.push_back(
      {dim("size "), data(view.run.size),
       dim("; threshold " + percentage(view.policy.threshold) + ", error rate " +
           percentage(view.policy.alpha) + ", at most " + std::to_string(view.policy.looks) +
           " looks, budget " + elapsed(view.policy.budget) + "; seed " +
           std::to_string(view.plan.seed) + "; perf-compare "),
       data(view.run.tool_version)});
  if (view.run.shard) {
    section.lines.push_back({"shard ", data(to_text(*view.run.shard)), " of the plan ",
                             data(view.plan.digest), ", attempt ",
                             words(std::to_string(view.plan.attempt)), ", host ",
                             data(view.plan.host.substr(0, kShownId))});
  }
  if (!view.run.source.empty()) {
    section.lines.push_back({"imported from ", data(view.run.source)});
  }
  for (const Warning& warning : view.plan.warnings) {
    section.lines.push_back(warning_line(warning));
  }
  return section;
}

Section planned(const RunView& view) {
  Section section{.table = {.columns = {"workload", "format", "command"}}};
  for (const PlannedWorkload& one : view.plan.workloads) {
    Row row{.cells = {{name(one.workload.name)},
                      {data(one.workload.format)},
                      {data(perf::joined(one.workload.command, " "))}},
            .subject = {name(one.workload.name)}};
    const auto remark = [&row](const std::string& words_before, const std::string& text) {
      if (!text.empty()) {
        row.remarks.push_back({words(words_before), data(text)});
      }
    };
    remark("head cannot run it: ", first_line(one.head_failed));
    remark("base cannot run it: ", first_line(one.base_missing));
    remark("control arm beside ", one.control_of);
    if (one.trace_record) {
      if (const std::string why = one.trace_record->why_measured(); !why.empty()) {
        row.remarks.push_back(reason_phrase(why));
      }
      remark(one.trace_record->audited            ? "audited: "
             : one.trace_record->needed_by_target ? "not compared: "
                                                  : "not measured: ",
             one.trace_record->same() ? "it runs the same program on both sides" : "");
    }
    section.table.rows.push_back(std::move(row));
  }
  for (const std::string& missing : view.plan.missing) {
    section.lines.push_back({"only in the config of base: ", name(missing)});
  }
  return section;
}

/// A row a workload: the medians of both sides over its processes. Empty where there are none.
Section run_medians(const RunView& view) {
  std::map<std::string, std::map<Side, ShownMedian>> workloads;
  std::set<Side> sides{Side::head};
  for (const ShownMedian& one : view.medians) {
    workloads[one.workload][one.side] = one;
    sides.insert(one.side);
  }
  if (workloads.empty()) {
    return {};
  }
  Section section{.table = {.columns = {"medians of"}},
                  .lines = {{dim("over the processes of a side, whose number comes first; "
                                 "peak_rss is that of the whole process")}}};
  for (const Side side : sides) {
    for (const char* column : {"", " step_time", " peak_rss"}) {
      section.table.columns.push_back(right(std::string(to_string(side)) + column));
    }
  }
  for (auto& [workload, medians] : workloads) {
    Row row{{{name(workload)}}, {name(workload)}};
    for (const Side side : sides) {
      const ShownMedian& median = medians[side];
      append(row.cells, {{number(std::to_string(median.processes))},
                         {number(median.step_time ? quantity(*median.step_time, "s") : "-")},
                         {number(median.peak_rss ? quantity(*median.peak_rss, "B") : "-")}});
    }
    section.table.rows.push_back(std::move(row));
  }
  return section;
}

/// What its audits saw, and how those of the whole store turned out.
Section audits(const RunView& view) {
  Section section;
  keep(section.lines, audit_line(view.audits));
  const auto& [all, alarmed] = view.audit_record;
  if (all > 0) {
    section.lines.push_back({words("audits in this store: " + std::to_string(all - alarmed) +
                                   " of " + std::to_string(all) + " agree that nothing moved")});
  }
  return section;
}

std::string ended_text(const ShownProcess& process) {
  if (process.timed_out) {
    return "timeout";
  }
  if (process.signal) {
    return "signal " + std::to_string(*process.signal);
  }
  return process.exit_code ? "exit " + std::to_string(*process.exit_code) : "not started";
}

/// The end of it, cut where a character begins.
std::string end_of(const std::string& text) {
  if (text.size() <= kPrintedEnd) {
    return text;
  }
  return text.substr(character_start(text, text.size() - kPrintedEnd));
}

Row process_row(const ShownProcess& process) {
  const std::string pair = std::to_string(process.pair) + (process.attempt > 1 ? " again" : "");
  Row row{.cells = {{name(process.workload)},
                    {number(std::to_string(process.start_order))},
                    {words(process.side == Side::base ? "base" : "head")},
                    {words(process.paired ? pair : "alone")},
                    {number(quantity(process.wall, "s"))},
                    {number(std::to_string(process.steps))},
                    {number(process.step_time ? quantity(*process.step_time, "s") : "-")},
                    {number(process.peak_rss ? quantity(static_cast<double>(*process.peak_rss), "B")
                                             : "-")},
                    {process.failure.empty() ? dim(process.apart.empty() ? "ok" : process.apart)
                                             : bad(ended_text(process))}},
          .subject = {name(process.workload), words(" " + std::to_string(process.start_order))}};
  if (!process.failure.empty()) {
    row.remarks.push_back({"failed: ", data(process.failure)});
    for (const auto& [label, text] : {std::pair{"standard error: ", &process.stderr_text},
                                      {"standard output: ", &process.stdout_text}}) {
      if (!text->empty()) {
        row.remarks.push_back({dim(label), data(end_of(*text))});
      }
    }
  }
  return row;
}

Section processes(const RunView& view) {
  Section section{
      .table = {.columns = {"process of", right("order"), "side", "pair", right("wall"),
                            right("steps"), right("step_time"), right("peak_rss"), "ended"}}};
  const std::vector<ShownProcess>& all = view.processes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i < kEnds || i + kEnds >= all.size() || !all[i].failure.empty()) {
      section.table.rows.push_back(process_row(all[i]));
    }
  }
  const auto failed = std::ranges::count_if(
      view.processes, [](const ShownProcess& one) { return !one.failure.empty(); });
  section.lines.push_back(
      {words(counted(view.processes.size(), "process", "processes") + ", " +
             std::to_string(failed) + " of them failed; " + elapsed(view.measured) +
             " of measuring; step_time: the median of a process's timed steps")});
  const std::size_t hidden = all.size() - section.table.rows.size();
  if (hidden > 0) {
    section.lines.push_back(
        {words(counted(hidden, "process", "processes") + " between the first and the last " +
               std::to_string(kEnds) + " that ended well " + (hidden == 1 ? "is" : "are") +
               " left out; "),
         command("--json FILE"), " has all"});
  }
  if (std::ranges::any_of(all, [](const ShownProcess& one) { return one.blocks > 1; })) {
    section.lines.push_back({dim(
        "a process that holds several workloads has no step_time of its own: see the medians")});
  }
  if (std::ranges::any_of(all, &ShownProcess::pruned)) {
    section.lines.push_back({dim("raw steps were pruned: their number and median are left")});
  }
  return section;
}

}  // namespace

Document page_of(const RunView& view) {
  Document document{.headline = {run_headline(view)},
                    .sections = {where(view), planned(view), run_medians(view), processes(view)}};
  keep(document.sections, audits(view));
  if (has_report(view.run)) {
    document.sections.push_back(
        {.lines = {
             {"its report: ", command("perf-compare report " + view.run.id.substr(0, kShownId))}}});
  }
  return document;
}

}  // namespace perf::reporter
