// inference/forward and inference/batched, by running them on a tiny model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/thrown_by.h"
#include "tests/workloads/metric.h"
#include "workloads/decoder/decoder_in_memory.h"
#include "workloads/inference/batched.h"
#include "workloads/inference/forward.h"
#include "workloads/inference/sequences_check.h"
#include "workloads/program/emitted.h"
#include "workloads/program/error.h"
#include "workloads/program/run_command.h"

namespace perf::workloads {
namespace {

using perf_compare::StepEmitter;
using Options = std::map<std::string, std::string>;

const Options kTiny = {{"layers", "2"},       {"hidden-size", "64"}, {"heads", "4"},
                       {"kv-heads", "2"},     {"head-size", "16"},   {"intermediate-size", "96"},
                       {"vocabulary", "300"}, {"steps", "2"},        {"warmup", "1"}};

Options tiny(const Options& more) {
  Options options = kTiny;
  options.insert(more.begin(), more.end());
  return options;
}

std::vector<std::string> without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& absent) {
  std::vector<std::string> left;
  for (const std::string& name : names) {
    if (std::find(absent.begin(), absent.end(), name) == absent.end()) {
      left.push_back(name);
    }
  }
  return left;
}

// Every metric and check that is declared, with a number; checks in order, and passed.
void expect_complete(const Workload& workload, const StepEmitter& out,
                     const std::vector<std::string>& absent = {}) {
  std::vector<std::string> metrics, wanted = without(workload.metrics, absent);
  for (const perf_compare::Metric& one : out.metrics()) {
    metrics.push_back(one.name);
    EXPECT_TRUE(std::isfinite(one.value)) << one.name;
  }
  std::sort(metrics.begin(), metrics.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(metrics, wanted) << out.workload();
  std::vector<std::string> checks;
  for (const perf_compare::Check& one : out.checks()) {
    checks.push_back(one.name);
    EXPECT_TRUE(one.passed()) << one.name << " " << one.error << " > " << one.tolerance;
  }
  EXPECT_EQ(checks, without(workload.checks, absent)) << out.workload();
}

TEST(Forward, HasASeriesForEachBatchSizeAndLength) {
  const Workload workload = inference_forward();
  const auto measured =
      run_workload(workload, tiny({{"batch", "1,3"}, {"length", "16,40"}, {"peak-size", "64"}}));
  ASSERT_EQ(measured.size(), 4U);
  const char* names[] = {"batch_1_length_16", "batch_1_length_40", "batch_3_length_16",
                         "batch_3_length_40"};
  const double tokens[] = {16, 40, 48, 120};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    EXPECT_EQ(measured[i].workload(), names[i]);
    expect_complete(workload, measured[i]);
    EXPECT_NEAR(metric(measured[i], "tokens_per_second"), tokens[i] / measured[i].median_seconds(),
                1e-6 * tokens[i] / measured[i].median_seconds());
    EXPECT_NEAR(metric(measured[i], "gemm_share") * metric(measured[i], "gemm_rate"),
                metric(measured[i], "flop_rate"), 1e-6 * metric(measured[i], "flop_rate"));
    EXPECT_GE(metric(measured[i], "resident_peak"), metric(measured[i], "resident_average"));
    EXPECT_GT(metric(measured[i], "resident_average"), metric(measured[i], "weights_bytes"));
    EXPECT_EQ(metric(measured[i], "weights_bytes"), metric(measured[0], "weights_bytes"));
  }
}

// The stream and what each layer makes of it grow with the tokens; a sequence of a batch needs
// about as much as one alone.
TEST(Forward, ActivationsGrowWithTheTokens) {
  const auto measured = run_workload(
      inference_forward(), tiny({{"batch", "1,4"}, {"length", "32,64"}, {"peak-size", "0"}}));
  const auto a_sequence = [&](std::size_t i) {
    return metric(measured[i], "activations_bytes_per_sequence");
  };
  EXPECT_EQ(metric(measured[2], "activations_bytes"), 4 * a_sequence(2));
  EXPECT_NEAR(a_sequence(1) / a_sequence(0), 2, 0.2);
  EXPECT_NEAR(a_sequence(2) / a_sequence(0), 1, 0.2);
  for (const StepEmitter& out : measured) {
    expect_complete(inference_forward(), out, {"gemm_rate", "gemm_share"});
  }
}

TEST(Forward, RefusesMoreTokensThanBlasCounts) {
  const auto error = thrown_by<Error>([&] {
    run_workload(inference_forward(), tiny({{"batch", "65536"}, {"length", "1000"}}));
  });
  EXPECT_EQ(error.subject, "--batch-size 65536 times --seq-len 1000");
  EXPECT_THROW(run_workload(inference_forward(), tiny({{"read-probe-size", "1"}})), Error);
}

TEST(Batched, ReportsTheGainOfBatching) {
  const Workload workload = inference_batched();
  const auto measured =
      run_workload(workload, tiny({{"batch", "1,2,5"}, {"prompt", "4"}, {"new-tokens", "5"}}));
  ASSERT_EQ(measured.size(), 3U);
  const double batches[] = {1, 2, 5};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const StepEmitter& out = measured[i];
    expect_complete(workload, out);
    EXPECT_NEAR(metric(out, "tokens_per_second"),
                batches[i] * metric(out, "tokens_per_second_per_sequence"), 1e-3);
    EXPECT_NEAR(
        metric(out, "batching_gain"),
        metric(out, "decode_tokens_per_second") / metric(measured[0], "decode_tokens_per_second"),
        1e-9);
    EXPECT_EQ(metric(out, "weights_bytes_per_token") * batches[i], metric(out, "weights_bytes"));
  }
}

// Weights that a cache holds are not compared with memory.
TEST(Batched, ReadsNoMoreThanTheWeightsForItsYardstick) {
  const auto measured = run_workload(inference_batched(),
                                     tiny({{"batch", "1"}, {"prompt", "4"}, {"new-tokens", "3"}}));
  const auto& fields = measured.at(0).begin_fields();
  EXPECT_NEAR(number_of(fields, "read_rate_bytes"), metric(measured[0], "weights_bytes"), 4096);
}

// Nothing to compare with, so nothing is said.
TEST(Batched, ReportsNoGainWithoutBatchOne) {
  const auto measured = run_workload(
      inference_batched(),
      tiny({{"batch", "3"}, {"prompt", "4"}, {"new-tokens", "3"}, {"read-probe-size", "0"}}));
  expect_complete(inference_batched(), measured.at(0),
                  {"batching_gain", "read_rate", "read_share"});
}

TEST(Batched, QuantizedWeightsPassTheChecks) {
  for (const char* weights : {"bf16", "int8"}) {
    expect_complete(inference_batched(),
                    run_workload(inference_batched(), tiny({{"batch", "3"},
                                                            {"prompt", "4"},
                                                            {"new-tokens", "3"},
                                                            {"read-probe-size", "1"},
                                                            {"weights", weights}}))
                        .at(0),
                    {"batching_gain", "greedy_tokens_match_reference"});
  }
}

// A decoder of three sequences, and what may be done to its tokens.
double planted_error(void (*plant)(std::vector<int>& tokens, std::size_t count)) {
  DecoderSetup setup{.shape = model_shape("micro")};
  setup.shape.layers = 1;
  setup.shape.vocabulary = 200;
  setup.sequences = setup.logit_rows = 3;
  setup.capacity = 16;
  setup.most_rows = 48;
  DecoderInMemory model(setup, SeededParameters(setup.shape, 1));
  return sequences_error(setup, 1, [&](const int* tokens, std::size_t count, bool anew) {
    std::vector<int> own(tokens, tokens + 3 * count);
    if (plant != nullptr) {
      plant(own, count);
    }
    if (anew) {
      model.decoder().reset();
    }
    return model.decoder().advance(own.data(), count);
  });
}

TEST(SequencesCheck, SeesSequencesThatMix) {
  const double allowed = sequences_tolerance(DecoderSetup{});
  EXPECT_LE(planted_error(nullptr), allowed);
  // The second sequence reads one token of the first.
  EXPECT_GT(
      planted_error([](std::vector<int>& tokens, std::size_t count) { tokens[count] = tokens[0]; }),
      10 * allowed);
  // As if its cache were another's: all but the last token, which comes alone.
  EXPECT_GT(planted_error([](std::vector<int>& tokens, std::size_t count) {
              if (count > 1) {
                std::copy_n(tokens.begin(), count, tokens.begin() + static_cast<long>(count));
              }
            }),
            10 * sequences_tolerance({.shape = {}, .weights = WeightType::int4}));
}

}  // namespace
}  // namespace perf::workloads
