// The machine's own limits, the product beside them, and how micro workloads are measured.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/workloads/metric.h"
#include "workloads/kernels/gemm_rate.h"
#include "workloads/kernels/product_error.h"
#include "workloads/kernels/products.h"
#include "workloads/kernels/rms_norm.h"
#include "workloads/kernels/softmax.h"
#include "workloads/micro/embedding_work.h"
#include "workloads/micro/micro_run.h"
#include "workloads/micro/micro_workloads.h"
#include "workloads/micro/rope_work.h"
#include "workloads/micro/row_work.h"
#include "workloads/program/error.h"
#include "workloads/program/roofline.h"
#include "workloads/program/run_command.h"
#include "workloads/registry.h"

namespace perf::workloads {
namespace {

using Options = std::map<std::string, std::string>;
using perf_compare::StepEmitter;

void expect_right(const Workload& workload, const StepEmitter& out) {
  for (const std::string& name : workload.metrics) {
    EXPECT_GT(metric(out, name), 0) << name;
  }
  EXPECT_EQ(out.metrics().size(), workload.metrics.size());
  ASSERT_EQ(out.checks().size(), workload.checks.size());
  for (std::size_t i = 0; i < workload.checks.size(); ++i) {
    EXPECT_EQ(out.checks()[i].name, workload.checks[i]);
    EXPECT_TRUE(out.checks()[i].passed()) << workload.checks[i] << ' ' << out.checks()[i].error;
  }
  EXPECT_EQ(out.phase_names(), workload.phases);
  EXPECT_NE(roofline_rows(out).find("roofline"), std::string::npos);
}

Options with(Options options, const Options& more) {
  options.insert(more.begin(), more.end());
  return options;
}

const Options kFewSteps = {{"steps", "2"}, {"warmup", "1"}};

TEST(Limits, EachReportsWhatItSays) {
  for (const char* dtype : {"fp32", "bf16", "fp16"}) {
    const Workload workload = micro_gemm_peak();
    const StepEmitter out =
        run_workload(workload, with(kFewSteps, {{"peak-size", "100"}, {"dtype", dtype}}))[0];
    expect_right(workload, out);
    EXPECT_LE(metric(out, "gemm_share"), 1 + 1e-9);
    EXPECT_NEAR(metric(out, "flop_rate") * out.median_seconds(), 2e6, 1) << dtype;
  }
  expect_right(micro_memory_read(), run_workload(micro_memory_read(), kFewSteps)[0]);
  const StepEmitter triad =
      run_workload(micro_memory_triad(), with(kFewSteps, {{"kib", "100"}}))[0];
  expect_right(micro_memory_triad(), triad);
}

TEST(Limits, ReadingIsASeriesForEachSize) {
  const auto measured = run_workload(micro_memory_read(), with(kFewSteps, {{"kib", "4,16,5000"}}));
  ASSERT_EQ(measured.size(), 3U);
  const char* names[] = {"kib_4", "kib_16", "kib_5000"};
  const char* roofs[] = {"the rate of reading 4.00 KiB\n", "the rate of reading 16.0 KiB\n",
                         "the rate of reading 4.88 MiB\n"};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    EXPECT_EQ(measured[i].workload(), names[i]);
    expect_right(micro_memory_read(), measured[i]);
    EXPECT_NE(roofline_rows(measured[i]).find(roofs[i]), std::string::npos)
        << roofline_rows(measured[i]);
  }
}

TEST(Matmul, IsRightForEachTypeAndBackend) {
  const Workload workload = micro_matmul();
  for (const char* dtype : {"fp32", "bf16", "fp16"}) {
    std::vector<std::string> backends = backend_names();
    backends.emplace_back("auto");
    for (const std::string& backend : backends) {
      const StepEmitter out = run_workload(workload, with(kFewSteps, {{"dtype", dtype},
                                                                      {"backend", backend},
                                                                      {"m", "65"},
                                                                      {"n", "33"},
                                                                      {"k", "130"},
                                                                      {"calls", "3"},
                                                                      {"peak-size", "64"}}))[0];
      expect_right(workload, out);
      EXPECT_NEAR(metric(out, "call_time"), out.median_seconds() / 3, 1e-12);
      EXPECT_NEAR(metric(out, "flop_rate") * metric(out, "call_time"), 2.0 * 65 * 33 * 130, 1);
      EXPECT_NEAR(metric(out, "gemm_share") * metric(out, "gemm_rate"), metric(out, "flop_rate"),
                  1);
    }
  }
}

template <class T>
void expect_product_errors_are_seen(float smallest) {
  const Gemm shape{.m = 70, .n = 50, .k = 64};
  const auto count = [](int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  };
  std::vector<T> a(count(70, 64)), b(count(64, 50)), c(count(70, 50));
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = narrow<T>(static_cast<float>(i % 13) - 5.5F);
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = narrow<T>(static_cast<float>(i % 7) - 2.5F);
  }
  Ledger counted;
  const Products<T> counting(Backend::reference, counted);
  Ledger memory(counted);
  Products<T> products(Backend::reference, memory);
  products.multiply(shape, a.data(), b.data(), c.data());
  const std::vector<T> right = c;
  const auto error = [&] { return product_error(shape, a.data(), b.data(), c.data()); };
  EXPECT_LE(error(), 1);
  for (int i = 0; i < shape.m; ++i) {  // a wrong row, a wrong column
    c = right;
    for (int j = 0; j < shape.n; ++j) {
      T& value = c[count(i, shape.n) + static_cast<std::size_t>(j)];
      value = narrow<T>(widen(value) * (1 + smallest) + std::copysign(smallest, widen(value)));
    }
    EXPECT_GT(error(), kProductTolerance) << "row " << i;
  }
  for (int j = 0; j < shape.n; ++j) {
    c = right;
    for (int i = 0; i < shape.m; ++i) {
      c[count(i, shape.n) + static_cast<std::size_t>(j)] = narrow<T>(NAN);
    }
    EXPECT_GT(error(), kProductTolerance) << "column " << j;
  }
  // A tile that was not multiplied, and a single entry.
  c = right;
  for (int i = 20; i < 28; ++i) {
    for (int j = 6; j < 10; ++j) {
      c[count(i, shape.n) + static_cast<std::size_t>(j)] = narrow<T>(0);
    }
  }
  EXPECT_GT(error(), kProductTolerance);
  std::size_t seen = 0, spoilt = 0;
  for (std::size_t i = 0; i < right.size(); i += 11) {
    c = right;
    c[i] = narrow<T>(widen(right[i]) + 40);  // the entries' deviation is 60
    ++spoilt;
    seen += error() > kProductTolerance ? 1 : 0;
  }
  EXPECT_EQ(seen, spoilt);
  // A product that stops one short of k.
  c = right;
  Gemm shorter = shape;
  shorter.k -= 1;
  shorter.stride_a = shape.k;
  products.multiply(shorter, a.data(), b.data(), c.data());
  EXPECT_GT(error(), kProductTolerance);
}

TEST(ProductError, SeesAWrongRowAWrongColumnAndALostTerm) {
  expect_product_errors_are_seen<float>(2e-3F);
  expect_product_errors_are_seen<Bf16>(0.2F);
  expect_product_errors_are_seen<Fp16>(0.02F);
}

TEST(GemmRate, KnowsItsError) {
  EXPECT_EQ(GemmRate(0).error(), 0);
  GemmRate rate(64);
  EXPECT_EQ(rate.error(), 0) << "nothing multiplied";
  rate.measure(0);
  EXPECT_GT(rate.error(), 0) << "rounding";
  EXPECT_LE(rate.error(), kProductTolerance);
  EXPECT_EQ(rate.rate(), 0) << "nothing timed";
}

Workload repeated(Bound bound) {
  Workload own{.name = "test/repeated",
               .summary = "Nothing.",
               .parameters = {},
               .phases = {},
               .metrics = {},
               .checks = {}};
  own.parameters = micro_parameters({}, {5, 5, 5}, bound);
  return own;
}

struct Counts {
  int forward = 0, backward = 0;
};

StepEmitter micro_steps(const MicroWork& work) {
  const RunRequest request = read_run_request(
      repeated(work.bound),
      with(kFewSteps, work.bound == Bound::products ? Options{{"peak-size", "64"}} : Options{}));
  StepEmitter out(request.wanted, "test/repeated", request.identity);
  run_micro(request.settings, work, out);
  return out;
}

TEST(MicroRun, RepeatsTheCallsOfEachStep) {
  for (const Bound bound : {Bound::products, Bound::memory}) {
    Counts counts;
    const StepEmitter out = micro_steps({.forward = [&] { ++counts.forward; },
                                         .backward = [&] { ++counts.backward; },
                                         .bound = bound,
                                         .amount = 8192});
    EXPECT_EQ(counts.forward, 3 * 5 + 3) << "three steps; a call before each, none after the last";
    EXPECT_EQ(counts.backward, counts.forward);
    EXPECT_EQ(out.phase_names(), (std::vector<std::string>{"forward", "backward"}));
    for (const std::string& name : micro_metrics(bound)) {
      EXPECT_GT(metric(out, name), 0) << name;
    }
    EXPECT_EQ(out.metrics().size(), micro_metrics(bound).size());
    EXPECT_NEAR(metric(out, "call_time") * 5, out.median_seconds(), 1e-12);
  }
  Counts counts;
  const StepEmitter out = micro_steps({.forward = [&] { ++counts.forward; }, .amount = 8192});
  EXPECT_EQ(counts.forward, 3 * 5 + 3);
  EXPECT_EQ(out.phase_names(), std::vector<std::string>{"forward"});
}

// Right where nobody looks at the clock: in the call before each of the three steps, that is.
template <class Call>
std::function<void()> lazy(Call call) {
  return [call, calls = 0]() mutable {
    if (calls++ % 6 == 0) {
      call();
    }
  };
}

TEST(MicroRun, ChecksTheTimedValues) {
  const RowWork rows(20, 70, 1);
  const auto forward = [&] { softmax(rows.in, rows.out, rows.rows, rows.columns); };
  micro_steps(rows.work(forward));
  EXPECT_LE(softmax_error(rows), kSoftmaxTolerance);
  EXPECT_LE(row_sum_error(rows), kRowSumTolerance);
  micro_steps(rows.work(lazy(forward)));
  EXPECT_FALSE(softmax_error(rows) <= kSoftmaxTolerance);
  EXPECT_FALSE(row_sum_error(rows) <= kRowSumTolerance);
  rms_norm_forward(rows.in, rows.gain, rows.out, rows.inverse_rms, rows.rows, rows.columns,
                   kNormEpsilon);
  micro_steps(rows.work([] {}));
  EXPECT_FALSE(inverse_rms_error(rows) <= kNormTolerance);
}

TEST(MicroRun, ChecksTheTimedValuesOfRopeAndEmbedding) {
  constexpr ModelShape kModel = {
      .hidden = 48, .heads = 3, .kv_heads = 1, .head_size = 16, .vocabulary = 100};
  for (const bool is_lazy : {false, true}) {
    RopeWork rope(kModel, 40, 1);
    MicroWork work = rope.work();
    if (is_lazy)  // turned as often, but the last time without the bias's gradient
    {
      work.backward = [&, calls = 0]() mutable {
        std::vector<float> kept(rope.bias_gradient(), rope.bias_gradient() + rope.shape().width());
        rope.backward();
        if (calls++ % 6 != 0) {
          std::copy(kept.begin(), kept.end(), rope.bias_gradient());
        }
      };
    }
    micro_steps(work);
    EXPECT_LE(rope.output_error(), rope.tolerance());
    EXPECT_LE(rope.gradient_error(), rope.tolerance());
    EXPECT_EQ(rope.bias_gradient_error() <= rope.bias_gradient_tolerance(), !is_lazy);
    EmbeddingWork embedding(kModel, 60, 1);
    work = embedding.work();
    if (is_lazy) {
      work.forward = lazy(work.forward);
    }
    micro_steps(work);
    EXPECT_EQ(embedding.output_error() == 0, !is_lazy);
    EXPECT_LE(embedding.gradient_error(), embedding.gradient_tolerance());
  }
}

TEST(GemmRate, SpoiltResultIsReplaced) {
  for (const DType dtype : {DType::fp32, DType::bf16, DType::fp16}) {
    GemmRate rate(64, dtype);
    rate.measure(0);
    rate.spoil_result();
    EXPECT_FALSE(rate.error() <= kProductTolerance);
    rate.measure(1);
    EXPECT_LE(rate.error(), kProductTolerance);
  }
  GemmRate(0).spoil_result();
}

// An odd number of steps: the median of the rates is then the rate of the median.
TEST(MicroRun, ReportsTheAmountByTheTime) {
  const Options odd = {{"steps", "3"}, {"warmup", "1"}};
  const StepEmitter rows =
      run_workload(micro_softmax(), with(odd, {{"rows", "30"}, {"columns", "70"}}))[0];
  EXPECT_NEAR(metric(rows, "bytes_per_second") * metric(rows, "call_time"), 2 * 30 * 70 * 4, 0.1);
  const StepEmitter triad = run_workload(micro_memory_triad(), with(odd, {{"kib", "100"}}))[0];
  EXPECT_NEAR(metric(triad, "bytes_per_second") * triad.median_seconds(), 3 * 100 * 1024, 0.1);
  for (const char* causal : {"on", "off"}) {
    const StepEmitter out = run_workload(micro_attention(), with(odd, {{"causal", causal},
                                                                       {"heads", "2"},
                                                                       {"head-size", "16"},
                                                                       {"batch-size", "1"},
                                                                       {"seq-len", "10"}}))[0];
    // Two products of 16 for each pair of positions that is seen: 55 or 100, by each of two heads.
    const double pairs = causal == std::string("on") ? 55 : 100;
    EXPECT_NEAR(metric(out, "flop_rate") * metric(out, "call_time"), 2 * 2 * 2 * 16 * pairs, 0.1)
        << causal;
  }
}

TEST(MicroRun, ReadsAsMuchAsACallTouches) {
  const auto roof = [](double amount, double working_set) {
    return roofline_rows(
        micro_steps({.forward = [] {}, .amount = amount, .working_set = working_set}));
  };
  EXPECT_NE(roof(16384, 0).find("reading 16.0 KiB"), std::string::npos) << roof(16384, 0);
  EXPECT_NE(roof(16384, 8192).find("reading 8.00 KiB"), std::string::npos);
  EXPECT_NE(roof(1e12, 0).find("reading 256 MiB"), std::string::npos) << "at most";
}

// One step of each workload; of sweeps, the first series.
TEST(Roofline, IsInTheAnswerOfEachWorkload) {
  for (const Workload& workload : workloads()) {
    Options options = {{"size", "smoke"}, {"steps", "1"}, {"warmup", "0"}};
    for (const Parameter& parameter : workload.parameters) {
      if (parameter.kind == Parameter::Kind::integers) {
        options[parameter.name] = parameter.defaults[0].substr(0, parameter.defaults[0].find(','));
      }
    }
    const std::string text = run_answer(workload, options);
    EXPECT_NE(text.find("  roofline"), std::string::npos) << text;
  }
}

TEST(Limits, RefuseWhatDoesNotFit) {
  EXPECT_THROW(run_workload(micro_memory_triad(), {{"kib", "60000000"}}), Error);
  EXPECT_THROW(run_workload(micro_memory_read(), {{"kib", "60000000"}}), Error);
  EXPECT_THROW(run_workload(micro_memory_read(), {{"kib", "3"}}), Error);
  EXPECT_THROW(run_workload(micro_gemm_peak(), {{"peak-size", "0"}}), Error);
}

}  // namespace
}  // namespace perf::workloads
