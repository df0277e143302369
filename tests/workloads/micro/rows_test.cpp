#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "workloads/kernels/layer_norm.h"
#include "workloads/kernels/rms_norm.h"
#include "workloads/kernels/rotary.h"
#include "workloads/kernels/softmax.h"
#include "workloads/micro/embedding_work.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/rope_work.h"
#include "workloads/micro/row_work.h"
#include "workloads/program/error.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {
namespace {

using Options = std::map<std::string, std::string>;

std::vector<Workload> row_workloads() {
  return {micro_softmax(), micro_layer_norm(), micro_rms_norm(), micro_embedding(), micro_rope()};
}

perf_compare::StepEmitter measured(const Workload& workload, Options options) {
  for (const auto& [name, value] : Options{{"steps", "2"}, {"warmup", "1"}, {"calls", "2"}}) {
    options.emplace(name, value);
  }
  return run_workload(workload, options).front();
}

TEST(RowWorkloads, AreWhatTheyAreDescribedToBe) {
  for (const Workload& workload : row_workloads()) {
    SCOPED_TRACE(workload.name);
    for (const std::string threads : {"1", "2"}) {
      const auto out = measured(workload, {{"size", "smoke"}, {"threads", threads}});
      EXPECT_EQ(out.steps().size(), 3U);
      EXPECT_EQ(out.phase_names(), workload.phases);
      std::vector<std::string> metrics, checks;
      for (const perf_compare::Metric& metric : out.metrics()) {
        metrics.push_back(metric.name);
        EXPECT_GT(metric.value, 0) << metric.name;
        EXPECT_FALSE(metric.judge) << metric.name;
      }
      for (const perf_compare::Check& check : out.checks()) {
        checks.push_back(check.name);
        EXPECT_TRUE(check.passed()) << check.name << ": " << check.error;
      }
      EXPECT_EQ(metrics, workload.metrics);
      EXPECT_EQ(checks, workload.checks);
    }
  }
}

void expect_passes(const Workload& workload, Options options, const std::string& shape) {
  options["steps"] = "1";
  options["warmup"] = "0";
  const auto out = measured(workload, options);
  EXPECT_EQ(out.checks().size(), workload.checks.size());
  for (const perf_compare::Check& check : out.checks()) {
    EXPECT_TRUE(check.passed()) << workload.name << ' ' << check.name << ' ' << check.error << ", "
                                << shape;
  }
}

// Shapes that end within a register, one value, and the widest rows.
TEST(RowWorkloads, TakeOtherShapesAndSeeds) {
  for (const Workload& workload : {micro_softmax(), micro_layer_norm(), micro_rms_norm()}) {
    for (const auto& [rows, columns] : Options{{"1", "1"}, {"3", "65536"}, {"65", "77"}}) {
      for (const std::string seed : {"1", "2", "4294967295"}) {
        expect_passes(workload, {{"rows", rows}, {"columns", columns}, {"seed", seed}}, columns);
      }
    }
  }
  for (const Workload& workload : {micro_embedding(), micro_rope()}) {
    for (const std::string length : {"1", "37", "1024"}) {
      expect_passes(workload, {{"model", "tiny"}, {"seq-len", length}, {"calls", "50"}}, length);
    }
  }
}

TEST(RowWorkloads, RefuseWhatDoesNotFit) {
  EXPECT_THROW(measured(micro_softmax(), {{"rows", "1000000"}, {"columns", "65536"}}), Error);
  EXPECT_THROW(measured(micro_layer_norm(), {{"rows", "0"}}), Error);
  EXPECT_THROW(measured(micro_rms_norm(), {{"columns", "65537"}}), Error);
  EXPECT_THROW(measured(micro_rope(), {{"seq-len", "0"}}), Error);
  EXPECT_THROW(measured(micro_embedding(), {{"model", "no-such"}}), Error);
}

/// One value is wrong by a little, at the start, in the middle, and at the end.
template <class Error>
void expect_seen(float* values, std::size_t count, Error error, double tolerance) {
  EXPECT_LE(error(), tolerance);
  for (const std::size_t place : {std::size_t{0}, count / 2 + 3, count - 1}) {
    const float right = values[place];
    values[place] = right * 1.001F + 1e-3F;
    EXPECT_GT(error(), tolerance) << place;
    values[place] = NAN;
    EXPECT_FALSE(error() <= tolerance) << place;
    values[place] = right;
  }
  EXPECT_LE(error(), tolerance);
}

TEST(SoftmaxCheck, SeesOneWrongValue) {
  const RowWork rows(50, 700, 1);
  softmax(rows.in, rows.out, rows.rows, rows.columns);
  expect_seen(
      rows.out, rows.values(), [&] { return softmax_error(rows); }, kSoftmaxTolerance);
  expect_seen(
      rows.out, rows.values(), [&] { return row_sum_error(rows); }, kRowSumTolerance);
}

TEST(SoftmaxCheck, SeesAWrongKernel) {
  const RowWork rows(50, 700, 1);
  for (std::size_t i = 0; i < rows.values(); ++i)  // one matrix of columns, not of rows
  {
    rows.out[i] = 1.0F / 700;
  }
  EXPECT_GT(softmax_error(rows), kSoftmaxTolerance);
  EXPECT_LE(row_sum_error(rows), kRowSumTolerance);
  softmax(rows.in, rows.out, rows.rows, rows.columns);
  for (std::size_t i = 0; i < rows.columns; ++i)  // a sum that lacks a value
  {
    rows.out[25 * rows.columns + i] *= 1.00001F;
  }
  EXPECT_GT(softmax_error(rows), kSoftmaxTolerance);
  EXPECT_GT(row_sum_error(rows), kRowSumTolerance);
}

// Where the operation has replaced what it should only read, its output agrees with that.
TEST(RowChecks, TakeTheInputFromTheSeed) {
  const RowWork rows(5, 70, 1);
  rows.in[200] += 0.1F;
  softmax(rows.in, rows.out, rows.rows, rows.columns);
  EXPECT_GT(softmax_error(rows), kSoftmaxTolerance);
}

TEST(LayerNormCheck, SeesOneWrongValueAndAWrongEpsilon) {
  const RowWork rows(50, 700, 1);
  const auto error = [&] { return layer_norm_error(rows); };
  const auto compute = [&](double epsilon) {
    layer_norm(rows.in, rows.gain, rows.bias, rows.out, rows.rows, rows.columns, epsilon);
  };
  compute(kNormEpsilon);
  expect_seen(rows.out, rows.values(), error, kNormTolerance);
  compute(10 * kNormEpsilon);
  EXPECT_GT(error(), kNormTolerance);
}

TEST(RmsNormCheck, SeesOneWrongValueAndAWrongEpsilon) {
  const RowWork rows(50, 700, 1);
  const auto error = [&] { return rms_norm_error(rows); };
  const auto scale_error = [&] { return inverse_rms_error(rows); };
  const auto compute = [&](double epsilon) {
    rms_norm_forward(rows.in, rows.gain, rows.out, rows.inverse_rms, rows.rows, rows.columns,
                     epsilon);
  };
  compute(kNormEpsilon);
  expect_seen(rows.out, rows.values(), error, kNormTolerance);
  expect_seen(rows.inverse_rms, rows.rows, scale_error, kNormTolerance);
  compute(10 * kNormEpsilon);
  EXPECT_GT(error(), kNormTolerance);
  EXPECT_GT(scale_error(), kNormTolerance);
}

constexpr ModelShape kModel = {
    .hidden = 48, .heads = 3, .kv_heads = 1, .head_size = 16, .vocabulary = 100};

TEST(EmbeddingCheck, SeesOneWrongValue) {
  EmbeddingWork work(kModel, 60, 1);
  for (int i = 0; i < 7; ++i) {
    work.forward();
    work.backward();
  }
  expect_seen(
      work.output(), 60 * 48, [&] { return work.output_error(); }, 0);
  expect_seen(
      work.table_gradient(), 100 * 48, [&] { return work.gradient_error(); },
      work.gradient_tolerance());
}

TEST(EmbeddingCheck, CountsTheCalls) {
  EmbeddingWork work(kModel, 60, 1);
  work.backward();
  for (std::size_t i = 0; i < 100 * 48; ++i) {
    work.table_gradient()[i] *= 2;
  }
  EXPECT_GT(work.gradient_error(), 0.5);
  work.backward();
  EXPECT_GT(work.gradient_error(), 0.3);
}

TEST(EmbeddingWork, HasTokensThatComeSeveralTimes) {
  const EmbeddingWork work(model_shape("micro"), 512, 3);
  std::map<int, int> counts;
  for (const int token : work.tokens()) {
    ASSERT_GE(token, 0);
    ASSERT_LT(token, 4096);
    ++counts[token];
  }
  EXPECT_GT(counts[0], 20);  // 512 log(2) / log(4096) = 43
  EXPECT_GT(counts.size(), 150U);
  EXPECT_GT(counts.rbegin()->first, 2048);
}

TEST(RopeCheck, SeesOneWrongValueOfEachResult) {
  RopeWork work(kModel, 40, 1);
  for (int i = 0; i < 7; ++i) {
    work.forward();
    work.backward();
  }
  const QkvRows& shape = work.shape();
  const std::size_t values = shape.rows() * shape.width();
  expect_seen(
      work.qkv(), values, [&] { return work.output_error(); }, work.tolerance());
  expect_seen(
      work.gradient(), values, [&] { return work.gradient_error(); }, work.tolerance());
  expect_seen(
      work.bias_gradient(), shape.width(), [&] { return work.bias_gradient_error(); },
      work.bias_gradient_tolerance());
}

// The closed form after many calls, and one position, where nothing turns.
TEST(RopeCheck, HoldsAfterAnyNumberOfCalls) {
  for (const std::size_t length : {1, 2, 300}) {
    for (const int calls : {1, 2, 1000}) {
      RopeWork work(kModel, length, 2);
      for (int i = 0; i < calls; ++i) {
        work.forward();
        work.backward();
      }
      EXPECT_LE(work.output_error(), work.tolerance());
      EXPECT_LE(work.gradient_error(), work.tolerance());
      EXPECT_LE(work.bias_gradient_error(), work.bias_gradient_tolerance());
    }
  }
}

// Turned with another theta, or the other way, or not at all.
TEST(RopeCheck, SeesAWrongAngle) {
  for (const double theta : {1e4, 1.001e6}) {
    RopeWork work(kModel, 40, 1);
    const QkvRows& shape = work.shape();
    std::vector<float> cosines(40 * 8), sines(40 * 8), bias(shape.width());
    rotary_table(theta, 40, 16, cosines.data(), sines.data());
    RopeWork back(kModel, 40, 1);
    work.forward();
    work.backward();
    back.forward();
    back.backward();
    rotate_back(shape, work.qkv(), bias.data(), cosines.data(), sines.data());
    EXPECT_GT(work.output_error(), work.tolerance());
    bias_and_rotate(shape, work.gradient(), std::vector<float>(shape.width()).data(),
                    cosines.data(), sines.data());
    EXPECT_GT(work.gradient_error(), work.tolerance());
    // What one theta turns there another does not turn back.
    back.forward();
    rotate_back(shape, back.qkv(), bias.data(), cosines.data(), sines.data());
    EXPECT_GT(back.output_error(), back.tolerance());
  }
}

}  // namespace
}  // namespace perf::workloads
