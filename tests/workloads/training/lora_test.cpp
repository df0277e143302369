#include "workloads/training/lora.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "workloads/training/layer_matrices.h"
#include "workloads/training/low_rank.h"

namespace perf::workloads {
namespace {

constexpr ModelShape kShape{.layers = 3,
                            .hidden = 8,
                            .heads = 4,
                            .kv_heads = 2,
                            .head_size = 4,
                            .intermediate = 12,
                            .vocabulary = 11};

const std::vector<Projection> kAll = {Projection::q,   Projection::k,    Projection::v,
                                      Projection::o,   Projection::gate, Projection::up,
                                      Projection::down};

TEST(LoraLayout, HasLayersAndTargetsInOrderWithoutGaps) {
  // As asked for in any order, and twice.
  const LoraLayout layout(kShape,
                          {.rank = 2, .targets = {Projection::v, Projection::q, Projection::v}});
  ASSERT_EQ(layout.adapters.size(), 6U);
  std::size_t next = 0;
  for (std::size_t i = 0; i < layout.adapters.size(); ++i) {
    const LoraLayout::Adapter& adapter = layout.adapters[i];
    EXPECT_EQ(adapter.layer, static_cast<int>(i / 2));
    EXPECT_EQ(adapter.target, i % 2 == 0 ? Projection::q : Projection::v);
    EXPECT_EQ(adapter.inputs, 8U);
    EXPECT_EQ(adapter.outputs, i % 2 == 0 ? 16U : 8U);
    EXPECT_EQ(adapter.a, next);
    EXPECT_EQ(adapter.b, next + 2 * adapter.inputs);
    next = adapter.b + 2 * adapter.outputs;
  }
  EXPECT_EQ(layout.parameters, next);
}

TEST(LoraLayout, KnowsTheSizesOfAllTargets) {
  const LoraLayout layout(kShape, {.rank = 1, .targets = kAll, .layers = {false, true, false}});
  std::vector<std::pair<std::size_t, std::size_t>> sizes;
  for (const LoraLayout::Adapter& adapter : layout.adapters) {
    EXPECT_EQ(adapter.layer, 1);
    sizes.emplace_back(adapter.inputs, adapter.outputs);
  }
  EXPECT_EQ(sizes, (std::vector<std::pair<std::size_t, std::size_t>>{
                       {8, 16}, {8, 8}, {8, 8}, {16, 8}, {8, 12}, {8, 12}, {12, 8}}));
  EXPECT_EQ(layout.find(1, Projection::o), &layout.adapters[3]);
  EXPECT_EQ(layout.find(0, Projection::o), nullptr);
}

TEST(LoraLayout, RefusesWhatTrainsNothing) {
  EXPECT_THROW(LoraLayout(kShape, {.rank = 2, .targets = {}}), std::invalid_argument);
  EXPECT_THROW(LoraLayout(kShape, {.rank = 2, .layers = {false, false, false}}),
               std::invalid_argument);
  EXPECT_THROW(LoraLayout(kShape, {.rank = 2, .layers = {true}}), std::invalid_argument);
  EXPECT_EQ(LoraLayout(kShape, {.rank = 0, .targets = {}}).parameters, 0U);
}

TEST(InitialAdapters, ChangeNothingAtFirstAndDependOnTheirPlaceAlone) {
  const LoraOptions options{.rank = 3, .targets = {Projection::q, Projection::down}};
  const LoraLayout layout(kShape, options);
  std::vector<float> values(layout.parameters, 99.0F);
  fill_initial_adapters(kShape, options, 5, values.data());
  double sum = 0, square = 0, count = 0;
  for (const LoraLayout::Adapter& adapter : layout.adapters) {
    const float bound = 1 / std::sqrt(static_cast<float>(adapter.inputs));
    for (std::size_t i = adapter.a; i < adapter.b; ++i) {
      EXPECT_LE(std::abs(values[i]), bound);
      sum += static_cast<double>(values[i] / bound);
      square += static_cast<double>(values[i] / bound * (values[i] / bound));
      ++count;
    }
    for (std::size_t i = adapter.b; i < adapter.b + 3 * adapter.outputs; ++i) {
      EXPECT_EQ(values[i], 0.0F);
    }
  }
  // Mean 0 and variance 1/3 of 180 uniform values, within three deviations.
  EXPECT_NEAR(sum / count, 0, 0.13);
  EXPECT_NEAR(square / count, 1.0 / 3, 0.07);

  // The same adapter beside others has the same numbers, another seed has others.
  const LoraOptions one{.rank = 3, .targets = {Projection::down}, .layers = {false, true, false}};
  std::vector<float> alone(LoraLayout(kShape, one).parameters);
  fill_initial_adapters(kShape, one, 5, alone.data());
  const std::size_t offset = layout.find(1, Projection::down)->a;
  EXPECT_EQ(alone[7], values[offset + 7]);
  fill_initial_adapters(kShape, one, 6, alone.data());
  EXPECT_NE(alone[7], values[offset + 7]);
}

// Plain loops over strided columns: what the products must come to.
TEST(LowRank, AddsToItsOwnColumnsUpAndDown) {
  TrainingSetup setup{.shape = kShape, .batch = 1, .length = 5};
  setup.lora = {.rank = 2, .alpha = 3, .targets = {Projection::k}, .layers = {true, false, false}};
  const LoraLayout layout(kShape, setup.lora);
  const LoraLayout::Adapter& adapter = layout.adapters.front();
  const auto value = [](std::size_t i, std::size_t salt) {
    return static_cast<float>(static_cast<int>((i * 37 + salt * 11) % 23) - 11) / 16;
  };
  std::vector<float> adapters(layout.parameters), gradients(layout.parameters);
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    adapters[i] = value(i, 1);
  }
  Ledger counting;
  {
    Products<float> products(Backend::openblas, counting);
    LowRank<float>(setup, products, nullptr, nullptr, counting);
  }
  Ledger memory(counting);
  Products<float> products(Backend::openblas, memory);
  LowRank<float> low_rank(setup, products, adapters.data(), gradients.data(), memory);

  constexpr std::size_t kRows = 5, kRank = 2, kStride = 13, kInputs = 8, kOutputs = 8;
  std::vector<float> in(kRows * kInputs), low(kRows * kRank), out(kRows * kStride, 1.0F);
  std::vector<float> grad_out(kRows * kStride), grad_in(kRows * kInputs, 1.0F);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = value(i, 2);
  }
  for (std::size_t i = 0; i < grad_out.size(); ++i) {
    grad_out[i] = value(i, 3);
  }
  low_rank.forward(adapter, in.data(), low.data(), out.data() + 3, kStride);
  low_rank.backward(adapter, in.data(), low.data(), grad_out.data() + 3, kStride, grad_in.data());

  const auto a = [&](std::size_t r, std::size_t i) {
    return adapters[adapter.a + r * kInputs + i];
  };
  const auto b = [&](std::size_t o, std::size_t r) { return adapters[adapter.b + o * kRank + r]; };
  std::vector<double> want_low(kRows * kRank), want_grad_low(kRows * kRank);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t r = 0; r < kRank; ++r) {
      for (std::size_t i = 0; i < kInputs; ++i) {
        want_low[row * kRank + r] += 1.5 * in[row * kInputs + i] * a(r, i);
      }
      for (std::size_t o = 0; o < kOutputs; ++o) {
        want_grad_low[row * kRank + r] += 1.5 * grad_out[row * kStride + 3 + o] * b(o, r);
      }
    }
  }
  constexpr double kTolerance = 1e-5;  // sums of a few products near 1 in floats
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t column = 0; column < kStride; ++column) {
      double want = 1;
      if (column >= 3 && column < 3 + kOutputs) {
        for (std::size_t r = 0; r < kRank; ++r) {
          want += want_low[row * kRank + r] * b(column - 3, r);
        }
      }
      EXPECT_NEAR(out[row * kStride + column], want, kTolerance) << row << ' ' << column;
    }
    for (std::size_t i = 0; i < kInputs; ++i) {
      double want = 1;
      for (std::size_t r = 0; r < kRank; ++r) {
        want += want_grad_low[row * kRank + r] * a(r, i);
      }
      EXPECT_NEAR(grad_in[row * kInputs + i], want, kTolerance);
    }
  }
  for (std::size_t r = 0; r < kRank; ++r) {
    for (std::size_t i = 0; i < kInputs; ++i) {
      double want = 0;
      for (std::size_t row = 0; row < kRows; ++row) {
        want += want_grad_low[row * kRank + r] * in[row * kInputs + i];
      }
      EXPECT_NEAR(gradients[adapter.a + r * kInputs + i], want, kTolerance);
    }
    for (std::size_t o = 0; o < kOutputs; ++o) {
      double want = 0;
      for (std::size_t row = 0; row < kRows; ++row) {
        want += grad_out[row * kStride + 3 + o] * want_low[row * kRank + r];
      }
      EXPECT_NEAR(gradients[adapter.b + o * kRank + r], want, kTolerance);
    }
  }
}

TEST(GradientReach, EndsAtTheLowestAdapter) {
  const GradientReach full(kShape, {.rank = 0});
  EXPECT_TRUE(full.inputs(0, LayerMatrix::qkv));
  const GradientReach reach(
      kShape,
      {.rank = 1, .targets = {Projection::up, Projection::o}, .layers = {false, true, true}});
  EXPECT_EQ(reach.lowest_layer(), 1);
  EXPECT_TRUE(reach.inputs(2, LayerMatrix::qkv));
  EXPECT_TRUE(reach.inputs(1, LayerMatrix::gate_up));
  EXPECT_TRUE(reach.outputs(1, LayerMatrix::out));
  EXPECT_FALSE(reach.inputs(1, LayerMatrix::out));
  EXPECT_FALSE(reach.outputs(1, LayerMatrix::qkv));
  EXPECT_FALSE(reach.outputs(0, LayerMatrix::down));
}

}  // namespace
}  // namespace perf::workloads
