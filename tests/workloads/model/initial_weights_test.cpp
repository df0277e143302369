#include "workloads/model/initial_weights.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

namespace perf::workloads {
namespace {

template <class T>
std::vector<T> weights_of(const ModelShape& shape, std::uint64_t seed) {
  std::vector<T> values(shape.parameters());
  fill_initial_weights(shape, seed, values.data());
  return values;
}

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const float* values, std::size_t count) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += values[i];
    squares += static_cast<double>(values[i]) * values[i];
  }
  const double mean = sum / static_cast<double>(count);
  return {mean, std::sqrt(squares / static_cast<double>(count) - mean * mean)};
}

TEST(InitialWeights, EveryTensorHasTheSpreadOfItsKind) {
  const ModelShape shape = model_shape("micro");
  const std::vector<float> weights = weights_of<float>(shape, 7);
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    const auto named = [&](const char* part) {
      return tensor.name.find(part) != std::string::npos;
    };
    double mean = 0, deviation = 0.1;
    if (named("norm")) {
      mean = 1;
    } else if (tensor.shape.size() == 2) {
      deviation = 1 / std::sqrt(static_cast<double>(tensor.shape[1]));
    }
    if (named("embed_tokens")) {
      deviation /= 2;
    }
    if (named("o_proj") || named("down_proj")) {
      deviation /= std::sqrt(2.0 * shape.layers);
    }
    const Moments found = moments(&weights[tensor.offset], tensor.values());
    // Five standard errors of a mean and of a deviation.
    const double error = 5 * deviation / std::sqrt(static_cast<double>(tensor.values()));
    EXPECT_NEAR(found.mean, mean, error) << tensor.name;
    EXPECT_NEAR(found.deviation, deviation, error) << tensor.name;
  }
}

TEST(InitialWeights, NoTwoTensorsStartAlike) {
  for (const char* name : {"micro", "qwen2.5-3b"}) {
    const ModelShape shape = model_shape(name);
    std::set<float> starts;
    const std::vector<ModelTensor> tensors = ModelLayout(shape).tensors();
    for (const ModelTensor& tensor : tensors) {
      float two[2];
      fill_initial_values(shape, tensor, 7, 0, 2, two);
      starts.insert(two[0] * 3 + two[1]);
    }
    // Two of 436 of equal kind may meet by chance in 24 bits; streams that repeat give dozens.
    EXPECT_GE(starts.size() + 1, tensors.size()) << name;
  }
}

TEST(InitialWeights, DependOnTheSeedAndNotOnTheThreads) {
  const ModelShape shape = model_shape("micro");
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const std::vector<float> one = weights_of<float>(shape, 7);
  omp_set_num_threads(3);
  EXPECT_EQ(weights_of<float>(shape, 7), one);
  omp_set_num_threads(threads);
  EXPECT_NE(weights_of<float>(shape, 8), one);
}

TEST(InitialWeights, APieceIsTheSameAsInTheWhole) {
  const ModelShape shape = model_shape("micro");
  const std::vector<float> weights = weights_of<float>(shape, 7);
  for (const ModelTensor& tensor : ModelLayout(shape).tensors()) {
    const std::size_t first = tensor.values() / 3, count = tensor.values() / 2;
    std::vector<float> piece(count);
    fill_initial_values(shape, tensor, 7, first, count, piece.data());
    EXPECT_EQ(std::memcmp(piece.data(), &weights[tensor.offset + first], count * sizeof(float)), 0)
        << tensor.name;
  }
}

TEST(InitialWeights, NarrowTypesHoldTheRoundedValues) {
  const ModelShape shape = model_shape("micro");
  const std::vector<float> weights = weights_of<float>(shape, 7);
  const std::vector<Bf16> bf16 = weights_of<Bf16>(shape, 7);
  const std::vector<Fp16> fp16 = weights_of<Fp16>(shape, 7);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ASSERT_EQ(bf16[i].bits, narrow<Bf16>(weights[i]).bits) << i;
    ASSERT_EQ(fp16[i].bits, narrow<Fp16>(weights[i]).bits) << i;
    // Half a unit in the last place; below 2^-14 binary16 has a fixed grid of 2^-24.
    ASSERT_LE(std::abs(widen(bf16[i]) - weights[i]), std::abs(weights[i]) * 0x1p-8F) << i;
    ASSERT_LE(std::abs(widen(fp16[i]) - weights[i]), std::abs(weights[i]) * 0x1p-11F + 0x1p-25F)
        << i;
  }
}

}  // namespace
}  // namespace perf::workloads
