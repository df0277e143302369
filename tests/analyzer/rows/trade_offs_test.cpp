#include <gtest/gtest.h>

#include "analyzer/rows/comparison_rows.h"
#include "tests/analyzer/samples/scripted_run.h"

namespace perf {
namespace {

using scripted::add_pairs;
using scripted::plan_of;

void report(Measurements& measurements, const std::string& workload, Side side,
            const std::vector<std::pair<Metric, double>>& metrics) {
  for (Invocation& one : measurements.invocations) {
    if (one.workload == workload && one.side == side) {
      for (const auto& [metric, value] : metrics) {
        one.blocks[0].metrics.push_back({metric, value});
      }
    }
  }
}

const Metric kSize{"output_bytes", "B", Better::lower};
const Metric kNoise{"signal_to_noise", "dB", Better::higher};
const Metric kLeft{"memory_available", "B", Better::higher};
const Metric kShare{"gemm_share", "1", Better::higher};
const Metric kRate{"bytes_per_second", "B/s", Better::higher};

TEST(TradeOffs, NeedBytesAndQualityAtHead) {
  const Plan plan = plan_of({"both", "bytes", "quality", "at_base"});
  Measurements measurements;
  for (const char* name : {"both", "bytes", "quality", "at_base"}) {
    add_pairs(measurements, name, 3, 1.0);
  }
  report(measurements, "both", Side::head,
         {{kSize, 100}, {kNoise, 38.5}, {kRate, 7}, {kLeft, 9}, {kShare, 0.9}});
  report(measurements, "bytes", Side::head, {{kSize, 100}, {kShare, 0.9}});
  report(measurements, "quality", Side::head, {{kNoise, 38.5}, {kLeft, 9}});
  report(measurements, "at_base", Side::base, {{kSize, 100}, {kNoise, 38.5}});
  const std::vector<TradeOff> found = trade_offs(standing_of(plan, measurements, Policy{}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].workload, "both");
  EXPECT_NEAR(found[0].seconds, 0.010, 1e-3);
  ASSERT_EQ(found[0].bytes.size(), 1u) << "peak_rss is no size of the result";
  EXPECT_EQ(found[0].bytes[0].first, kSize);
  EXPECT_EQ(found[0].bytes[0].second, 100);
  ASSERT_EQ(found[0].quality.size(), 1u);
  EXPECT_EQ(found[0].quality[0].first, kNoise);
  EXPECT_EQ(found[0].quality[0].second, 38.5);
}

}  // namespace
}  // namespace perf
