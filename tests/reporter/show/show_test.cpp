#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "reporter/escape/visible.h"
#include "reporter/render.h"
#include "tests/contains.h"
#include "tests/reporter/samples.h"

namespace perf {
namespace {

TEST(RenderRunList, HasARowARunThatFitsTheTerminal) {
  const std::string text = render_terminal(samples::listed_runs(), false);
  EXPECT_EQ(text.rfind("5 runs, the latest of 40 in /somewhere", 0), 0U) << text;
  EXPECT_TRUE(contains_all(
      text, {"11111111", "regressed", "interrupted", "unfinished", "collect", "import", "out.json",
             "bbbbbbbb..aaaaaaaa+", "2026-01-31 12:00", "1234", "perf-compare show 11111111"}));
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    EXPECT_LE(reporter::display_width(text.substr(start, end - start)), 100U)
        << text.substr(start, end - start);
  }
}

TEST(RenderRunList, ShowsTheNextStepForAnEmptyStore) {
  RunList empty;
  empty.store = "results.db";
  EXPECT_EQ(render_terminal(empty, false),
            "No runs yet in results.db\n\n  to measure: perf-compare\n");
  empty.all = 3;
  EXPECT_TRUE(contains(render_terminal(empty, false), "None of 3 runs"));
}

TEST(RenderRun, ShowsEveryProcessAndWhyOneFailed) {
  const std::string text = render_terminal(samples::shown_run(), false);
  EXPECT_EQ(text.rfind("Run 111111111111: compare, failed; began 2026-01-31T12:00:00Z", 0), 0U)
      << text;
  EXPECT_TRUE(
      contains_all(text, {"shard 2/4 of the plan dddddddddddddddd, attempt 2, host cccccccc",
                          "exit 7", "model.bin is missing", "12.5 ms", "100 MiB", "1 again",
                          "counted", "head cannot run it: its build failed: exit code 1",
                          "4 processes, 1 of them failed", "raw steps were pruned",
                          "perf-compare report 11111111", "only in the config of base: gone"}));
}

TEST(RenderRun, HasTheMediansOfBothSides) {
  const std::string text = render_terminal(samples::shown_run(), false);
  EXPECT_TRUE(contains_all(text, {"head step_time", "15.0 ms"}));
  RunView collected = samples::shown_run();
  collected.medians.erase(collected.medians.begin());
  EXPECT_FALSE(contains(render_terminal(collected, false), "base step_time"));
}

TEST(RenderRun, ShowsTheEndsOfALongRunAndWhatFailed) {
  RunView view = samples::shown_run();
  const ShownProcess failed = view.processes[1];
  view.processes.assign(1594, view.processes[0]);
  view.processes[800] = failed;
  for (std::size_t i = 0; i < view.processes.size(); ++i) {
    view.processes[i].start_order = static_cast<std::int64_t>(i) + 10000;
  }
  const std::string text = render_terminal(view, false);
  EXPECT_TRUE(contains_all(
      text, {"10000", "10009", "10800", "model.bin is missing", "11584", "11593",
             "1594 processes, 1 of them failed",
             "1573 processes between the first and the last 10 that ended well are left out"}));
  EXPECT_FALSE(contains(text, "10010"));
  EXPECT_FALSE(contains(text, "11583"));
  EXPECT_EQ(nlohmann::json::parse(render_run_json(view)).at("processes").size(), 1594U);
}

TEST(RenderRun, HasNoStepTimeForSeveralWorkloadsInOne) {
  RunView view = samples::shown_run();
  EXPECT_FALSE(contains(render_terminal(view, false), "see the medians"));
  view.processes[0].blocks = 4;
  EXPECT_TRUE(contains(render_terminal(view, false), "see the medians"));
}

TEST(RenderRevision, DistinguishesMachines) {
  const std::string text = render_terminal(samples::shown_revision(), false);
  EXPECT_EQ(text.rfind("Revision aaaaaaaaaaaa Compute more waves (Ada, 2023-11-14)", 0), 0U)
      << text;
  EXPECT_TRUE(contains_all(
      text, {"compare 2/4", "f1e2d3", "another", "12.5 ms", "100 MiB", "1.3 %", "older ones"}));
  RevisionView unknown;
  EXPECT_TRUE(
      contains(render_terminal(unknown, false), "no measurements of this revision are stored"));
}

TEST(RenderRevision, DistinguishesParameters) {
  RevisionView view = samples::shown_revision();
  const std::string text = render_terminal(view, false);
  EXPECT_TRUE(contains(text, "training/mlp_stack (layers=two, n=4)"));
  EXPECT_TRUE(contains(text, "training/mlp_stack (no parameters)"));
  for (ShownMetric& series : view.series) {
    series.params["n"] = std::int64_t{4};
  }
  const std::string some = render_terminal(view, false);
  EXPECT_TRUE(contains(some, "training/mlp_stack (layers=two)"));
  EXPECT_FALSE(contains(some, "n=4") || contains(some, "no parameters")) << some;
  for (ShownMetric& series : view.series) {
    series.params = {{"n", std::int64_t{4}}};
  }
  const std::string same = render_terminal(view, false);
  EXPECT_FALSE(contains(same, "n=4")) << "they tell nothing apart";
}

TEST(RenderShow, ShowsHostileTextsAsText) {
  for (const std::string& hostile : samples::hostile_texts()) {
    for (const std::string& text : {render_terminal(samples::listed_runs(hostile), false),
                                    render_terminal(samples::shown_run(hostile), false),
                                    render_terminal(samples::shown_revision(hostile), false)}) {
      EXPECT_FALSE(samples::is_obeyed(text)) << hostile;
      EXPECT_LT(text.size(), 60'000U) << "10 kB names are cut";
    }
    for (const std::string& json : {render_run_list_json(samples::listed_runs(hostile)),
                                    render_run_json(samples::shown_run(hostile)),
                                    render_revision_json(samples::shown_revision(hostile))}) {
      EXPECT_TRUE(nlohmann::json::accept(json));
    }
  }
}

}  // namespace
}  // namespace perf
