#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/workloads/threads.h"
#include "workloads/micro/layer_check.h"
#include "workloads/micro/layer_links.h"
#include "workloads/training/step_operations.h"

namespace perf::workloads {
namespace {

constexpr LayerPart kParts[] = {LayerPart::attention, LayerPart::mlp, LayerPart::whole};

TrainingSetup small(LayerPart part, DType dtype = DType::fp32,
                    Backend backend = Backend::openblas) {
  TrainingSetup setup;
  setup.dtype = dtype;
  setup.backend = backend;
  return small_layer_setup(part, setup);
}

template <class T>
void expect_agreement(LayerPart part, Backend backend) {
  for (const std::uint64_t seed : {1, 2}) {
    LayerUnderTest<T> layer(part, small(part, kDType<T>, backend), seed);
    layer.forward();
    layer.backward();
    const LayerTolerances allowed = layer_tolerances(kDType<T>);
    const LayerParity parity = layer_parity(layer);
    EXPECT_LE(parity.output, allowed.forward);
    EXPECT_LE(parity.grad_in, allowed.gradient);
    EXPECT_LE(parity.gradients, allowed.gradient) << parity.where;
    for (const LinkError& link : all_links(layer)) {
      EXPECT_LE(link.error, allowed.link) << link.name;
    }
  }
}

TEST(LayerUnderTest, AgreesWithTheReferenceInAllTypes) {
  for (const LayerPart part : kParts) {
    for (const std::string& name : backend_names()) {
      SCOPED_TRACE(name + ", part " + std::to_string(static_cast<int>(part)));
      expect_agreement<float>(part, backend_from(name));
      expect_agreement<Bf16>(part, backend_from(name));
      expect_agreement<Fp16>(part, backend_from(name));
    }
  }
}

TEST(LayerUnderTest, DoesTheSameInEveryCall) {
  LayerUnderTest<float> layer(LayerPart::whole, small(LayerPart::whole), 1);
  layer.forward();
  layer.backward();
  const auto first = LayerResults<float>::of(layer);
  layer.forward();
  layer.backward();
  EXPECT_EQ(LayerResults<float>::of(layer).different_from(first), 0U);
  LayerUnderTest<float> other(LayerPart::whole, small(LayerPart::whole), 2);
  other.forward();
  other.backward();
  EXPECT_GT(LayerResults<float>::of(other).different_from(first), first.gradients.size() / 2);
}

// What a step did not compute anew differs from what the checks compute after it.
TEST(LayerUnderTest, DoesTheSameOverSpoiltResults) {
  for (const LayerPart part : {LayerPart::attention, LayerPart::mlp, LayerPart::whole}) {
    LayerUnderTest<float> layer(part, small(part), 1);
    layer.spoil_results();
    layer.forward();
    layer.backward();
    const auto first = LayerResults<float>::of(layer);
    EXPECT_LE(layer_parity(layer).output, 1e-5);
    EXPECT_LE(layer_parity(layer).gradients, 2e-5);
    layer.spoil_results();
    EXPECT_GT(LayerResults<float>::of(layer).different_from(first), first.out.size());
    layer.forward();
    layer.backward();
    EXPECT_EQ(LayerResults<float>::of(layer).different_from(first), 0U);
  }
}

TEST(LayerUnderTest, DoesTheSameWithAnyThreads) {
  expect_same_on_any_threads([] {
    // OpenBLAS cuts its sums by the number of threads.
    const TrainingSetup setup = small(LayerPart::whole, DType::fp32, Backend::reference);
    LayerUnderTest<float> layer(LayerPart::whole, setup, 1);
    layer.forward();
    layer.backward();
    const auto results = LayerResults<float>::of(layer);
    std::vector<float> all = results.gradients;
    all.insert(all.end(), results.out.begin(), results.out.end());
    all.insert(all.end(), results.grad_in.begin(), results.grad_in.end());
    return all;
  });
}

TEST(LayerUnderTest, HalvesTakeOnlyTheirOwnMemory) {
  const ModelShape model = model_shape("micro");
  const auto bytes = [&](LayerPart part) {
    return static_cast<double>(LayerUnderTest<float>::bytes(layer_setup(part, model)));
  };
  EXPECT_LT(bytes(LayerPart::attention), 0.5 * bytes(LayerPart::whole));
  EXPECT_LT(bytes(LayerPart::mlp), 0.9 * bytes(LayerPart::whole));
}

TEST(LayerUnderTest, CountsTheProducts) {
  TrainingSetup setup = layer_setup(LayerPart::whole, model_shape("qwen2.5-0.5b"));
  setup.batch = 2;
  setup.length = 96;
  const double rows = 192, width = 896, inner = 4864, queries = 896, kv = 128;
  const double pairs = 2 * 96.0 * 97 / 2;  // of a query and a key that it sees
  const double attention =
      3 * 2 * rows * (width * (queries + 2 * kv) + queries * width) + (2 + 4) * 2 * pairs * queries;
  const double mlp = 3 * 2 * rows * 3 * width * inner;
  EXPECT_EQ(layer_operations(LayerPart::attention, setup), attention);
  EXPECT_EQ(layer_operations(LayerPart::mlp, setup), mlp);
  EXPECT_EQ(layer_operations(LayerPart::whole, setup), attention + mlp);
  TrainingSetup two = setup;
  two.shape.layers = 2;
  EXPECT_EQ(step_operations(two) - step_operations(setup), attention + mlp);
}

/// A layer of which a test spoils something after a call, as if the call had left it so.
class SpoiltLayer : public testing::Test {
 protected:
  SpoiltLayer() : layer_(LayerPart::whole, small(LayerPart::whole), 1) {
    layer_.forward();
    layer_.backward();
  }

  const ModelLayout layout_ = ModelLayout(small(LayerPart::whole).shape);
  LayerUnderTest<float> layer_;
};

TEST_F(SpoiltLayer, ParitySeesEveryTensor) {
  const double allowed = layer_tolerances(DType::fp32).gradient;
  ASSERT_LE(layer_parity(layer_).gradients, allowed);
  const std::size_t width = layout_.shape.width();
  const std::vector<std::pair<std::size_t, std::string>> places = {
      {layout_.attention_norm(0) + 5, "attention norm"},
      {layout_.qkv(0) + 7, "q"},
      {layout_.qkv(0) + layout_.shape.query_width() * width + 7, "k"},
      {layout_.qkv_bias(0) - 1, "v"},
      {layout_.qkv_bias(0) + 3, "q bias"},
      {layout_.qkv_bias(0) + layout_.shape.query_width() + 1, "k bias"},
      {layout_.out(0) - 1, "v bias"},
      {layout_.out(0) + 9, "out"},
      {layout_.mlp_norm(0), "mlp norm"},
      {layout_.gate_up(0) + width * layout_.shape.inner(), "gate and up"},
      {layout_.final_norm() - 1, "down"},
  };
  for (const auto& [place, name] : places) {
    float& value = layer_.arrays().gradients[place];
    const float was = value;
    value *= 1.5F;
    const LayerParity parity = layer_parity(layer_);
    EXPECT_GT(parity.gradients, allowed) << name;
    EXPECT_EQ(parity.where, name);
    value = was;
  }
}

TEST_F(SpoiltLayer, ParitySeesOutputAndInput) {
  const LayerTolerances allowed = layer_tolerances(DType::fp32);
  const std::size_t middle = layer_.setup().rows() / 2 * layout_.shape.width() + 3;
  layer_.out()[middle] += 0.01F;
  layer_.grad_in()[middle] += 0.01F;
  const LayerParity parity = layer_parity(layer_);
  EXPECT_GT(parity.output, allowed.forward);
  EXPECT_GT(parity.grad_in, allowed.gradient);
  layer_.out()[middle] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(layer_parity(layer_).output));
}

// The reference is given what the layer did not use: as if it had left it out.
TEST_F(SpoiltLayer, ParitySeesEveryParameter) {
  const LayerTolerances allowed = layer_tolerances(DType::fp32);
  for (const std::size_t place :
       {layout_.attention_norm(0), layout_.qkv(0), layout_.qkv_bias(0), layout_.out(0),
        layout_.mlp_norm(0), layout_.gate_up(0), layout_.down(0)}) {
    float& value = layer_.arrays().parameters[place];
    const float was = value;
    value += 0.1F;
    EXPECT_GT(layer_parity(layer_).output, allowed.forward) << place;
    value = was;
  }
}

TEST_F(SpoiltLayer, ComparisonOfCallsSeesABit) {
  const auto before = LayerResults<float>::of(layer_);
  float& value = layer_.arrays().gradients[layout_.down(0) + 77];
  value = std::nextafter(value, 2.0F);
  EXPECT_EQ(LayerResults<float>::of(layer_).different_from(before), 1U);
}

double error_named(const std::vector<LinkError>& links, const std::string& name) {
  for (const LinkError& link : links) {
    if (link.name == name) {
      return link.error;
    }
  }
  ADD_FAILURE() << "no link " << name;
  return 0;
}

// A layer of usual widths, longer than a tile of attention's rows; values that are spoilt lie in
// its middle.
class Links : public testing::Test {
 protected:
  static constexpr std::size_t kLength = 70;

  static TrainingSetup setup() {
    TrainingSetup setup = layer_setup(LayerPart::whole, model_shape("micro"));
    setup.length = kLength;
    return setup;
  }
  static std::size_t middle(std::size_t count) { return count / 2 + 3; }

  // The named link, and it alone beside those that read the value, must see it.
  void expect_forward_sees(float* values, std::size_t count, const char* name) {
    float& value = values[middle(count)];
    const float was = value;
    value = 0;
    EXPECT_GT(error_named(forward_links(layer_), name), kAllowed) << name;
    value = was;
  }

  const double kAllowed = layer_tolerances(DType::fp32).link;
  LayerUnderTest<float> layer_{LayerPart::whole, setup(), 1};
  const ModelLayout layout_ = ModelLayout(setup().shape);
};

TEST_F(Links, SeeASingleValueOnTheWayUp) {
  layer_.forward();
  ASSERT_LE(worst_of(forward_links(layer_)).error, kAllowed);
  const ModelShape& shape = layout_.shape;
  const LayerActivations<float>& own = layer_.arrays().layers[0];
  const std::size_t stream = kLength * shape.width();
  expect_forward_sees(own.normed1, stream, "attention norm");
  const std::size_t row = kLength / 2 * shape.qkv_width();
  for (const auto& [column, name] : std::vector<std::pair<std::size_t, const char*>>{
           {5, "queries"},
           {shape.query_width() + 5, "keys"},
           {shape.query_width() + shape.kv_width() + 5, "values"}}) {
    const float was = own.qkv[row + column];
    own.qkv[row + column] = 0;
    EXPECT_GT(error_named(forward_links(layer_), name), kAllowed) << name;
    own.qkv[row + column] = was;
  }
  expect_forward_sees(own.attention, kLength * shape.query_width(), "attention");
  expect_forward_sees(own.middle, stream, "output of attention");
  expect_forward_sees(own.normed2, stream, "MLP norm");
  expect_forward_sees(own.gate_up, 2 * kLength * shape.inner(), "gate and up");
  expect_forward_sees(own.act, kLength * shape.inner(), "SwiGLU");
  expect_forward_sees(layer_.out(), stream, "output of the MLP");
  const std::size_t nan = middle(stream);
  layer_.out()[nan] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(worst_of(forward_links(layer_)).error));
}

TEST_F(Links, SeeParametersThatTheLayerDidNotUse) {
  layer_.forward();
  float* parameters = layer_.arrays().parameters;
  const auto expect_seen = [&](std::size_t offset, const char* name) {
    const float was = parameters[offset];
    parameters[offset] += 0.1F;
    EXPECT_GT(error_named(forward_links(layer_), name), kAllowed) << name;
    parameters[offset] = was;
  };
  const std::size_t queries = layout_.shape.query_width(), kv = layout_.shape.kv_width();
  expect_seen(layout_.attention_norm(0) + 3, "attention norm");
  expect_seen(layout_.qkv(0) + 300, "queries");
  expect_seen(layout_.qkv_bias(0) + 3, "queries");
  expect_seen(layout_.qkv_bias(0) + queries + 3, "keys");
  expect_seen(layout_.qkv_bias(0) + queries + kv + 3, "values");
  expect_seen(layout_.out(0) + 300, "output of attention");
  expect_seen(layout_.mlp_norm(0) + 3, "MLP norm");
  expect_seen(layout_.gate_up(0) + 300, "gate and up");
  expect_seen(layout_.down(0) + 300, "output of the MLP");
}

TEST_F(Links, SeeASingleValueOnTheWayDown) {
  layer_.forward();
  const ModelShape& shape = layout_.shape;
  const LayerActivations<float>& own = layer_.arrays().layers[0];
  const LayerGradients<float>& grad = layer_.arrays().grad;
  const std::size_t stream = kLength * shape.width();
  const std::vector<float> gate_up(own.gate_up, own.gate_up + 2 * kLength * shape.inner());
  std::vector<float> arrived;
  bool up = true;
  const auto expect_seen = [&](float& value, const char* name) {
    const auto links = [&] {
      return up ? mlp_backward_links(layer_, gate_up) : attention_backward_links(layer_, arrived);
    };
    const float was = value;
    value = 0;
    EXPECT_GT(error_named(links(), name), kAllowed) << name;
    value = was;
  };
  float* gradients = layer_.arrays().gradients;

  layer_.start_backward();
  layer_.mlp_backward();
  ASSERT_LE(worst_of(mlp_backward_links(layer_, gate_up)).error, kAllowed);
  expect_seen(grad.act[middle(kLength * shape.inner())], "gradient of SwiGLU's output");
  expect_seen(own.gate_up[middle(2 * kLength * shape.inner())],
              "gradient of gate and up's outputs");
  expect_seen(grad.normed[middle(stream)], "gradient of the MLP norm's output");
  expect_seen(grad.stream[middle(stream)], "gradient of the MLP's input");
  expect_seen(gradients[layout_.down(0) + 7777], "gradient of down");
  expect_seen(gradients[layout_.gate_up(0) + 7777], "gradient of gate and up");
  expect_seen(gradients[layout_.mlp_norm(0) + 77], "gradient of the MLP norm's gain");

  arrived.assign(layer_.grad_in(), layer_.grad_in() + stream);
  up = false;
  layer_.attention_backward();
  ASSERT_LE(worst_of(attention_backward_links(layer_, arrived)).error, kAllowed);
  expect_seen(grad.attention[middle(kLength * shape.query_width())],
              "gradient of attention's output");
  const std::size_t row = kLength / 2 * shape.qkv_width();
  const std::size_t queries = shape.query_width(), kv = shape.kv_width();
  expect_seen(grad.qkv[row + 5], "gradient of queries");
  expect_seen(grad.qkv[row + queries + 5], "gradient of keys");
  expect_seen(grad.qkv[row + queries + kv + 5], "gradient of values");
  expect_seen(grad.normed[middle(stream)], "gradient of the attention norm's output");
  expect_seen(grad.stream[middle(stream)], "gradient of the input");
  expect_seen(gradients[layout_.out(0) + 777], "gradient of out");
  expect_seen(gradients[layout_.qkv(0) + 777], "gradient of q");
  expect_seen(gradients[layout_.qkv(0) + queries * shape.width() + 777], "gradient of k");
  expect_seen(gradients[layout_.qkv(0) + (queries + kv) * shape.width() + 777], "gradient of v");
  expect_seen(gradients[layout_.qkv_bias(0) + 7], "gradient of queries' bias");
  expect_seen(gradients[layout_.qkv_bias(0) + queries + 7], "gradient of keys' bias");
  expect_seen(gradients[layout_.qkv_bias(0) + queries + kv + 7], "gradient of values' bias");
  expect_seen(gradients[layout_.attention_norm(0) + 77], "gradient of the attention norm's gain");
}

}  // namespace
}  // namespace perf::workloads
