#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

struct ListedRuns : testing::Test {
  example::Folder folder;
  Store store{folder / "results.db"};

  void begin(const std::string& id, Purpose purpose = Purpose::compare) {
    Plan plan = example::plan(id);
    plan.purpose = purpose;
    store.begin_run(plan, example::policy(), "0.1.0", "2026-01-01T00:00:00Z");
  }
  std::vector<std::string> ids(std::int64_t limit = -1,
                               const std::vector<std::string>& globs = {}) const {
    std::vector<std::string> found;
    for (const ListedRun& run : store.list_runs(limit, globs)) {
      found.push_back(run.id);
    }
    return found;
  }
};

TEST_F(ListedRuns, AreTheNewestFirst) {
  EXPECT_EQ(store.count_runs(), 0);
  EXPECT_TRUE(store.list_runs().empty());
  begin("run-1");
  begin("run-2");
  begin("run-3");
  EXPECT_EQ(ids(), (std::vector<std::string>{"run-3", "run-2", "run-1"}));
  EXPECT_EQ(ids(2), (std::vector<std::string>{"run-3", "run-2"}));
  EXPECT_EQ(ids(2, {"pars*"}), (std::vector<std::string>{"run-3", "run-2"}));
  EXPECT_TRUE(ids(-1, {"nothing"}).empty());
  EXPECT_EQ(store.count_runs(), 3);
}

TEST_F(ListedRuns, CountProcessesAndPairs) {
  begin("run-1");
  for (int i = 0; i < 4; ++i) {
    Invocation one = example::invocation(i);
    one.paired = true;
    store.add("run-1", one);
  }
  store.add("run-1", example::failed_invocation(4));
  Invocation counted = example::invocation(5);
  counted.paired = counted.counted = true;
  store.add("run-1", counted);
  Invocation looking = example::invocation(6);
  looking.paired = looking.traced = true;
  store.add("run-1", looking);
  const ListedRun unfinished = store.listed_run("run-1");
  EXPECT_FALSE(unfinished.finished);
  EXPECT_FALSE(unfinished.verdict);
  EXPECT_EQ(unfinished.processes, 7);
  EXPECT_EQ(unfinished.pairs, 2);
  EXPECT_EQ(unfinished.workloads, 2);
  store.finish_run(example::report());
  const ListedRun run = store.listed_run("run-1");
  EXPECT_TRUE(run.finished);
  EXPECT_EQ(run.verdict, "regressed");
  EXPECT_EQ(run.kind, RunKind::compare);
  EXPECT_EQ(run.started_at, "2026-01-01T00:00:00Z");
  EXPECT_EQ(run.size, "smoke");
  EXPECT_EQ(run.tool_version, "0.1.0");
  ASSERT_TRUE(run.base);
  EXPECT_EQ(run.base->subject, "Add the parser");
  EXPECT_EQ(run.head.oid, example::plan().head.oid);
  EXPECT_EQ(run.head.name, ".");
  EXPECT_TRUE(run.head.dirty);
  EXPECT_THROW(store.listed_run("run-2"), Error);
}

TEST_F(ListedRuns, CountImportsAndVisitsAsFinished) {
  Plan plan = example::plan("imported");
  plan.base.reset();
  plan.workloads.resize(1);
  store.add_imported(plan, example::policy(), "0.1.0", {},
                     {"hyperfine", "out.json", "digest", "2026-01-01T00:00:00Z"});
  begin("visit", Purpose::bisect);
  store.add_to_bisection(store.open_bisection(example::bisection_key(), "bisection", 7).id, "visit",
                         false);
  const ListedRun imported = store.listed_run("imported");
  EXPECT_EQ(imported.kind, RunKind::imported);
  EXPECT_EQ(imported.source, "out.json");
  EXPECT_TRUE(imported.finished);
  EXPECT_FALSE(imported.base);
  EXPECT_EQ(store.listed_run("visit").kind, RunKind::bisect);
  EXPECT_TRUE(store.listed_run("visit").finished);
  EXPECT_FALSE(store.latest_comparison());
}

TEST_F(ListedRuns, AreFoundByRevisionAndByTheBeginningOfTheirIds) {
  begin("run-1");
  begin("run-22");
  begin("other");
  EXPECT_EQ(store.listed_runs_at(example::plan().head.oid).size(), 3U);
  EXPECT_EQ(store.listed_runs_at(example::plan().base->oid, 2).size(), 2U);
  EXPECT_TRUE(store.listed_runs_at(std::string(40, '9')).empty());
  EXPECT_EQ(store.run_ids("run-"), (std::vector<std::string>{"run-1", "run-22"}));
  EXPECT_EQ(store.run_ids("run-", 1).size(), 1U);
  EXPECT_EQ(store.run_ids("%"), std::vector<std::string>{}) << "no pattern";
  EXPECT_EQ(store.run_ids("").size(), 3U);
}

TEST_F(ListedRuns, ListSizesAtARevision) {
  EXPECT_TRUE(store.sizes_at(example::plan().head.oid).empty());
  begin("run-1");
  Plan plan = example::plan("run-2");
  plan.size = "ci";
  store.begin_run(plan, example::policy(), "0.1.0");
  plan.run_id = "elsewhere";
  plan.size = "full";
  plan.base.reset();
  plan.head.oid = std::string(40, '9');
  store.begin_run(plan, example::policy(), "0.1.0");
  begin("run-3");
  const std::vector<std::string> sizes{"ci", "smoke"};
  EXPECT_EQ(store.sizes_at(example::plan().head.oid), sizes);
  EXPECT_EQ(store.sizes_at(example::plan().base->oid), sizes);
  EXPECT_EQ(store.sizes_at(std::string(40, '9')), std::vector<std::string>{"full"});
}

TEST_F(ListedRuns, FindTheLatestComparisonWithAReport) {
  begin("run-1");
  store.finish_run(example::report());
  begin("run-2", Purpose::collect);
  store.finish_run(example::report("run-2"));
  begin("run-3");
  EXPECT_EQ(store.latest_comparison(), "run-1");
}

}  // namespace
}  // namespace perf
