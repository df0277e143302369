#include "schema/bisection.h"

#include <gtest/gtest.h>

#include "schema/error.h"
#include "schema/store/store.h"
#include "tests/schema/store/example.h"

namespace perf {
namespace {

BisectionKey key_of(const Plan& plan) {
  return {plan.base->oid, plan.head.oid, plan.workloads.front().workload,
          "step_time",    plan.size,     plan.environment.fingerprint,
          std::nullopt};
}

TEST(StoredBisections, AreFoundAgainWithTheirRuns) {
  const example::Folder folder;
  Store store(folder / "results.db");
  const Plan plan = example::plan("run-1");
  EXPECT_TRUE(store.open_bisection(key_of(plan), "first", 7).runs.empty());
  store.begin_run(plan, example::policy(), "test");
  store.add_to_bisection("first", "run-1", false);
  Plan failed = example::plan("run-2");
  failed.workloads.front().head_failed = "did not build";
  store.begin_run(failed, example::policy(), "test");
  store.add_to_bisection("first", "run-2", true);

  Store again(folder / "results.db");
  const StoredBisection found = again.open_bisection(key_of(plan), "second", 8);
  EXPECT_EQ(found.id, "first");
  EXPECT_EQ(found.seed, 7U);
  ASSERT_EQ(found.runs.size(), 2U);
  EXPECT_EQ(found.runs[0].run_id, "run-1");
  EXPECT_EQ(found.runs[0].base, plan.base->oid);
  EXPECT_EQ(found.runs[0].head, plan.head.oid);
  EXPECT_FALSE(found.runs[0].last);
  EXPECT_FALSE(found.runs[0].reported);
  EXPECT_EQ(found.runs[0].head_failed, "");
  EXPECT_TRUE(found.runs[1].last);
  EXPECT_EQ(found.runs[1].head_failed, "did not build");
}

TEST(StoredBisections, DifferInEveryPartOfTheirKey) {
  const example::Folder folder;
  Store store(folder / "results.db");
  const BisectionKey key = key_of(example::plan());
  store.open_bisection(key, "first", 7);
  std::vector<BisectionKey> others(8, key);
  others[0].good += "0";
  others[1].bad += "0";
  others[2].workload.name += "0";
  others[3].workload.params["more"] = true;
  others[4].metric = "peak_rss";
  others[5].size = "full";
  others[6].fingerprint += "0";
  others[7].seed = 8;
  for (std::size_t i = 0; i < others.size(); ++i) {
    const std::string id = "other-" + std::to_string(i);
    EXPECT_EQ(store.open_bisection(others[i], id, 8).id, id);
  }
  EXPECT_EQ(store.open_bisection(key, "last", 9).id, "other-7") << "the latest, whatever its seed";
  BisectionKey with_seed = key;
  with_seed.seed = 7;
  EXPECT_EQ(store.open_bisection(with_seed, "last", 7).id, "first");
}

TEST(StoredBisections, MarkRunsWithAReport) {
  const example::Folder folder;
  Store store(folder / "results.db");
  const Plan plan = example::plan("run-1");
  store.open_bisection(key_of(plan), "first", 7);
  store.begin_run(plan, example::policy(), "test");
  store.add_to_bisection("first", "run-1", true);
  store.finish_run(example::report("run-1"));
  EXPECT_TRUE(store.open_bisection(key_of(plan), "x", 1).runs.front().reported);
}

TEST(StoredBisections, TakeEveryRunOnce) {
  const example::Folder folder;
  Store store(folder / "results.db");
  const Plan plan = example::plan("run-1");
  store.open_bisection(key_of(plan), "first", 7);
  store.begin_run(plan, example::policy(), "test");
  EXPECT_THROW(store.add_to_bisection("no such", "run-1", false), Error);
  EXPECT_THROW(store.add_to_bisection("first", "no such", false), Error);
  store.add_to_bisection("first", "run-1", false);
  EXPECT_THROW(store.add_to_bisection("first", "run-1", false), Error);
}

}  // namespace
}  // namespace perf
