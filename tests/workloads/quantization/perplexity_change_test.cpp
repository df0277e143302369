#include "workloads/quantization/perplexity_change.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tests/workloads/threads.h"
#include "workloads/decoder/decoder_check_small.h"

namespace perf::workloads {
namespace {

constexpr std::size_t kWhole = 0;

std::vector<double> changes_by_group(CodeType type, std::uint64_t seed) {
  return perplexity_changes({{type, kWhole}, {type, 128}, {type, 64}, {type, 32}}, seed);
}

TEST(PerplexityChange, ShowsHowSchemesCompare) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<double> change = perplexity_changes({{CodeType::int8, kWhole},
                                                           {CodeType::int4, 32},
                                                           {CodeType::int4, kWhole},
                                                           {CodeType::int2, kWhole}},
                                                          seed);
    EXPECT_GT(change[0], 0);
    EXPECT_LT(change[0], 0.001);
    EXPECT_LT(10 * change[0], change[1]);
    EXPECT_LT(change[1], change[2]);
    EXPECT_LT(5 * change[2], change[3]);
    EXPECT_LT(change[3], 2);
  }
}

TEST(PerplexityChange, GrowsWithTheGroup) {
  for (const CodeType type : {CodeType::int8, CodeType::int4, CodeType::int2, CodeType::nf4}) {
    constexpr int kSeeds = 3;
    std::vector<double> mean(4);
    for (int seed = 1; seed <= kSeeds; ++seed) {
      const std::vector<double> one = changes_by_group(type, static_cast<std::uint64_t>(seed));
      for (std::size_t i = 0; i < mean.size(); ++i) {
        mean[i] += one[i] / kSeeds;
      }
    }
    for (std::size_t i = 1; i < mean.size(); ++i) {
      EXPECT_LT(mean[i], mean[i - 1]) << name_of(type) << " at " << i;
    }
  }
}

// Weights are normal, for which nf4 is made.
TEST(PerplexityChange, IsLessForNf4ThanForInt4OverWholeRows) {
  const std::vector<double> change =
      perplexity_changes({{CodeType::nf4, kWhole}, {CodeType::int4, kWhole}}, 1);
  EXPECT_LT(change[0], change[1]);
}

TEST(PerplexityChange, IsTheSameEachTimeAndOnAnyThreads) {
  const Scheme scheme{CodeType::int4, 32};
  EXPECT_EQ(perplexity_change(scheme, 1), perplexity_change(scheme, 1));
  EXPECT_NE(perplexity_change(scheme, 1), perplexity_change(scheme, 2));
  const int threads = omp_get_max_threads();
  const double all = perplexity_change(scheme, 1);
  omp_set_num_threads(1);
  // BLAS cuts its sums by the number of threads.
  EXPECT_NEAR(perplexity_change(scheme, 1), all, 1e-4 * all);
  omp_set_num_threads(threads);
}

/// Parameters that int8 stores exactly: codes -127 .. 127, with 127 in every row, times 1/64, so
/// that the scale is a power of two.
class WholeParameters : public ParameterSource {
 public:
  WholeParameters() : shape_(perplexity_shape()) {}
  const ModelShape& shape() const override { return shape_; }
  void read(const ModelTensor& tensor, std::size_t first, std::size_t count,
            float* values) const override {
    const std::size_t columns = tensor.shape.back();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = first + i;
      const int code = static_cast<int>(place * 7919 % 255) - 127;
      const float scale = tensor.shape.size() == 1 ? 1.0F / 127 : 0.0009765625F;
      values[i] = scale * static_cast<float>(place % columns % 32 == 0 ? 127 : code);
    }
  }

 private:
  ModelShape shape_;
};

TEST(PerplexityChange, IsNothingWhereNothingChanges) {
  const WholeParameters source;
  EXPECT_EQ(perplexity_change(source, source, 1), 0);
  for (const std::size_t group : {kWhole, std::size_t{32}, std::size_t{128}}) {
    EXPECT_EQ(perplexity_change(source, QuantizedParameters(source, {CodeType::int8, group}), 1), 0)
        << group;
  }
  EXPECT_GT(perplexity_change(source, QuantizedParameters(source, {CodeType::int4, kWhole}), 1),
            1e-6);
}

// The same formula over the logits of plain loops in double precision.
TEST(PerplexityChange, AgreesWithTheReference) {
  const ModelShape shape{.layers = 1,
                         .hidden = 64,
                         .heads = 2,
                         .kv_heads = 1,
                         .head_size = 32,
                         .intermediate = 96,
                         .vocabulary = 64};
  const SmallParameters source(shape, 3);
  const QuantizedParameters changed(source, {CodeType::int4, 32});
  DecoderSetup setup;
  setup.shape = shape;
  setup.sequences = 2;
  setup.capacity = small_prompt(2);
  setup.most_rows = setup.logit_rows = 2 * setup.capacity;
  const Text text = draw_text(setup, source, 3);
  const ReferenceLogits was = reference_logits(shape, exact_parameters(source), text);
  const ReferenceLogits is = reference_logits(shape, exact_parameters(changed), text);
  double sum = 0;
  for (std::size_t sequence = 0; sequence < 2; ++sequence) {
    for (std::size_t row = 0; row < text.length; ++row) {
      const auto log_probabilities = [&](const ReferenceLogits& logits) {
        const double* own = &logits.logits[sequence][row * shape.tokens()];
        std::vector<double> result(own, own + shape.tokens());
        double total = 0;
        for (const double value : result) {
          total += std::exp(value);
        }
        for (double& value : result) {
          value -= std::log(total);
        }
        return result;
      };
      const std::vector<double> p = log_probabilities(was), q = log_probabilities(is);
      for (std::size_t token = 0; token < p.size(); ++token) {
        sum += std::exp(p[token]) * (p[token] - q[token]);
      }
    }
  }
  const double want = std::expm1(sum / static_cast<double>(2 * text.length));
  EXPECT_GT(want, 0.005);
  EXPECT_NEAR(perplexity_change(source, changed, 3), want, 1e-4 * want);
}

TEST(QuantizedParameters, ChangeMatricesAlone) {
  const SmallParameters source(perplexity_shape(), 1);
  const QuantizedParameters changed(source, {CodeType::int4, 32});
  for (const ModelTensor& tensor : ModelLayout(source.shape()).tensors()) {
    std::vector<float> was(tensor.values()), is(tensor.values());
    source.read(tensor, 0, was.size(), was.data());
    changed.read(tensor, 0, is.size(), is.data());
    EXPECT_EQ(was == is, tensor.shape.size() == 1) << tensor.name;
    if (tensor.shape.size() == 1) {
      continue;
    }
    // A part of the rows is the same part of the values.
    const std::size_t columns = tensor.shape.back();
    std::vector<float> row(columns);
    changed.read(tensor, columns, columns, row.data());
    EXPECT_TRUE(std::equal(row.begin(), row.end(), is.begin() + static_cast<long>(columns)));
    EXPECT_THROW(changed.read(tensor, 1, columns, row.data()), std::invalid_argument);
  }
}

}  // namespace
}  // namespace perf::workloads
