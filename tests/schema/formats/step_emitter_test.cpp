// What the header that users copy writes is what the reader takes.
#include "workloads/step_emitter.h"

#include <gtest/gtest.h>

#include <limits>

#include "schema/error.h"
#include "schema/formats/steps.h"

namespace perf::formats {
namespace {

perf_compare::StepEmitter emitter(int steps) {
  return {perf_compare::Wanted{steps, 1, 7},
          "family/name",
          {{"lines", 1000}, {"backend", "a \"b\"\n"}, {"rate", 0.1}, {"fast", true}}};
}

TEST(StepEmitter, WritesValidLines) {
  perf_compare::StepEmitter out = emitter(3);
  out.begin_field("tokens_per_step", 64);
  out.environment("threads", 2);
  out.environment("blas", "none");
  while (out.next_step()) {
    out.phase("parse");
  }
  out.metric("lines_per_second", "1/s", perf_compare::Better::higher, 1e5, true);
  out.check("parsed", 0, 1e-6);
  out.check("not_a_number", std::numeric_limits<double>::quiet_NaN(), 1e-6);
  const std::vector<Block> blocks = read_steps(out.lines());
  ASSERT_EQ(blocks.size(), 1u);
  const Block& block = blocks.front();
  EXPECT_EQ(block.workload, "family/name");
  EXPECT_EQ(block.params.at("lines"), Param(std::int64_t{1000}));
  EXPECT_EQ(block.params.at("backend"), Param(std::string("a \"b\"\n")));
  EXPECT_EQ(block.params.at("fast"), Param(true));
  EXPECT_EQ(block.tokens_per_step, 64);
  EXPECT_EQ(block.facts.at("threads"), "2");
  ASSERT_EQ(block.steps.size(), 4u);
  EXPECT_TRUE(block.steps[0].warmup);
  EXPECT_FALSE(block.steps[3].warmup);
  EXPECT_EQ(block.steps[2].seconds, out.steps()[2].seconds);
  ASSERT_EQ(block.metrics.size(), 1u);
  EXPECT_TRUE(block.metrics[0].judge);
  ASSERT_EQ(block.checks.size(), 2u);
  EXPECT_TRUE(block.checks[0].passed);
  EXPECT_FALSE(block.checks[1].passed);
  EXPECT_EQ(block.checks[1].error, std::nullopt);
}

TEST(StepEmitter, WritesNaNThatTheReaderRefuses) {
  perf_compare::StepEmitter out = emitter(1);
  while (out.next_step()) {
  }
  out.metric("loss", "1", perf_compare::Better::lower, std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(read_steps(out.lines()), Error);
}

}  // namespace
}  // namespace perf::formats
