// Benchmarks that gave no value beside others of their command, and said why.

#include <gtest/gtest.h>

#include "analyzer/analyze.h"
#include "analyzer/collect/collection.h"
#include "analyzer/rows/comparison_rows.h"
#include "reporter/text/sentences.h"
#include "reporter/text/wording.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

const std::string kNoAvx = "CPU does not support avx512";

Block skip_of(const std::string& name, const std::string& why = kNoAvx) {
  Block block;
  block.workload = name;
  block.skipped = why;
  return block;
}

class SkippedRows : public ::testing::Test {
 protected:
  SkippedRows() { plan.workloads[0].workload.format = "google-benchmark"; }

  /// Pairs whose invocations have a measured block `sum/c`, and these.
  void measure(const std::vector<Block>& base, const std::vector<Block>& head, int pairs = 12) {
    for (int pair = 0; pair < pairs; ++pair) {
      for (const Side side : {Side::base, Side::head}) {
        Invocation made = scripted::invocation_of("bench", side, pair, {0.01});
        made.blocks[0].workload = "sum/c";
        const std::vector<Block>& more = side == Side::base ? base : head;
        made.blocks.insert(made.blocks.end(), more.begin(), more.end());
        measurements.invocations.push_back(made);
      }
    }
    report = analyze(plan, measurements, policy, {});
  }
  std::vector<const Comparison*> rows(const std::string& workload) const {
    std::vector<const Comparison*> found;
    for (const Comparison& one : report.comparisons) {
      if (one.workload == workload) {
        found.push_back(&one);
      }
    }
    return found;
  }
  /// "VERDICT: its reason" of the only row.
  std::string only(const std::string& workload) const {
    const std::vector<const Comparison*> found = rows(workload);
    return found.size() != 1 || !found[0]->verdict
               ? std::to_string(found.size()) + " rows"
               : std::string(to_string(*found[0]->verdict)) + ": " + reporter::reason_of(*found[0]);
  }
  std::string told() const {
    return report.warnings.empty() ? "nothing" : reporter::sentence(report.warnings[0]);
  }

  Plan plan = scripted::plan_of({"bench"});
  Measurements measurements;
  Policy policy;
  Report report;
};

TEST_F(SkippedRows, AreMissingWhereBothSidesSkip) {
  measure({skip_of("sum/avx512/1"), skip_of("sum/avx512/8")},
          {skip_of("sum/avx512/1"), skip_of("sum/avx512/8")});
  EXPECT_EQ(only("bench/sum/avx512/1"), "missing: skipped on both sides: " + kNoAvx);
  EXPECT_EQ(only("bench/sum/avx512/8"), "missing: skipped on both sides: " + kNoAvx);
  ASSERT_EQ(rows("bench/sum/c").size(), 1u);
  EXPECT_EQ(rows("bench/sum/c")[0]->verdict, Verdict::unchanged);
  EXPECT_TRUE(rows("bench/sum/c")[0]->warnings.empty()) << "no pair lacks anything of it";
  EXPECT_EQ(report.judged, 2) << "the time of one and the memory of the process";
  EXPECT_EQ(report.summary.counts.at(Verdict::missing), 2);
  ASSERT_EQ(report.warnings.size(), 1u) << "said once, however many they are";
  EXPECT_EQ(told(), "2 benchmarks were skipped (bench/sum/avx512/1: " + kNoAvx +
                        "); --benchmark_filter=-sum/avx512 excludes them");
}

TEST_F(SkippedRows, FailWhereOnlyHeadSkips) {
  Block timed = scripted::block_of({0.02}, "sum/avx512");
  timed.metrics = {{{"misses", "1", Better::lower}, 4, false}};
  measure({timed}, {skip_of("sum/avx512")});
  const std::vector<const Comparison*> found = rows("bench/sum/avx512");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_FALSE(found[0]->verdict) << "a counter that nobody judges";
  EXPECT_EQ(found[1]->verdict, Verdict::failed);
  EXPECT_EQ(reporter::reason_of(*found[1]), "head failed: " + kNoAvx);
  EXPECT_TRUE(found[1]->base);
  EXPECT_FALSE(found[1]->head);
  EXPECT_EQ(rows("bench/sum/c")[0]->verdict, Verdict::unchanged);
  EXPECT_EQ(report.judged, 2);
  EXPECT_EQ(told(), "nothing");
}

TEST_F(SkippedRows, AreNewWhereOnlyBaseSkips) {
  measure({skip_of("sum/avx512")}, {scripted::block_of({0.02}, "sum/avx512")});
  EXPECT_EQ(only("bench/sum/avx512"), "new: skipped at base: " + kNoAvx);
  EXPECT_EQ(rows("bench/sum/c")[0]->verdict, Verdict::unchanged);
}

TEST_F(SkippedRows, NameTheSide) {
  measure({skip_of("sum/gpu", "no driver"), skip_of("sum/old")},
          {skip_of("sum/gpu", "no GPU"), skip_of("sum/young")});
  EXPECT_EQ(only("bench/sum/gpu"), "missing: skipped on both sides: no GPU");
  EXPECT_EQ(only("bench/sum/old"), "missing: skipped at base: " + kNoAvx);
  EXPECT_EQ(only("bench/sum/young"), "missing: skipped at head: " + kNoAvx);
  EXPECT_EQ(told(),
            "3 benchmarks were skipped (bench/sum/gpu: no GPU); "
            "--benchmark_filter=-sum/gpu|sum/old|sum/young excludes them");
}

// What differs from invocation to invocation is no skip of the benchmark.
TEST_F(SkippedRows, AreNoneWhereSomeInvocationsMeasured) {
  measure({scripted::block_of({0.02}, "sum/avx512")}, {scripted::block_of({0.02}, "sum/avx512")});
  measurements.invocations[7].blocks[1] = skip_of("sum/avx512");
  report = analyze(plan, measurements, policy, {});
  const std::vector<const Comparison*> found = rows("bench/sum/avx512");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->pairs, 11);
  EXPECT_EQ(told(), "nothing");
}

TEST_F(SkippedRows, StandForTimes) {
  policy.metrics = {"peak_rss"};
  measure({skip_of("sum/avx512")}, {skip_of("sum/avx512")});
  EXPECT_TRUE(rows("bench/sum/avx512").empty());
  EXPECT_EQ(report.warnings.size(), 1u);
}

TEST_F(SkippedRows, AreLeftOutByAFilterThatSparesTheOthers) {
  measure({skip_of("sum"), skip_of("copy_fast/1"), skip_of("copy_fast/2")},
          {skip_of("sum"), skip_of("copy_fast/1"), skip_of("copy_fast/2")});
  EXPECT_EQ(told(), "3 benchmarks were skipped (bench/copy_fast/1: " + kNoAvx +
                        "); --benchmark_filter=-copy.fast|^sum$ excludes them");
  plan.workloads[0].workload.format = "go";
  report = analyze(plan, measurements, policy, {});
  EXPECT_EQ(told(), "3 benchmarks were skipped (bench/copy_fast/1: " + kNoAvx + ")");
}

TEST_F(SkippedRows, AreWarnedOfWithHeadAlone) {
  plan = scripted::plan_of({"bench"}, false);
  measure({}, {skip_of("sum/avx512")});
  std::erase_if(measurements.invocations,
                [](const Invocation& one) { return one.side == Side::base; });
  for (Invocation& one : measurements.invocations) {
    one.paired = false;
  }
  report = analyze(plan, measurements, policy, {});
  EXPECT_EQ(only("bench/sum/avx512"), "missing: skipped at head: " + kNoAvx);
  EXPECT_EQ(rows("bench/sum/c")[0]->verdict, Verdict::fresh);
  EXPECT_EQ(told(), "1 benchmark was skipped (bench/sum/avx512: " + kNoAvx + ")");
  const std::vector<CollectedWorkload> collected =
      collected_workloads(standing_of(plan, measurements, policy), {12});
  ASSERT_EQ(collected.size(), 1u) << "a gap";
  EXPECT_EQ(collected[0].workload, "bench/sum/c");
  EXPECT_EQ(collected[0].status, CollectedStatus::measured);
}

}  // namespace
}  // namespace perf
