#include "workloads/training/decoder_reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/workloads/random_values.h"
#include "workloads/model/initial_weights.h"
#include "workloads/training/batch.h"
#include "workloads/training/finetuning_reference.h"

namespace perf::workloads {
namespace {

using Values = std::vector<double>;

// Two sequences, grouped queries, and heads small enough to differ in every angle.
TrainingSetup toy_setup() {
  TrainingSetup setup;
  setup.shape = {.layers = 2,
                 .hidden = 16,
                 .heads = 4,
                 .kv_heads = 2,
                 .head_size = 4,
                 .intermediate = 12,
                 .vocabulary = 19};
  setup.shape.rope_theta = 100;  // so that the slow angle turns within 7 positions, too
  setup.batch = 2;
  setup.length = 7;
  return setup;
}

TrainingSetup lora_setup(std::vector<Projection> targets, std::vector<bool> layers = {}) {
  TrainingSetup setup = toy_setup();
  setup.lora.rank = 3;
  setup.lora.alpha = 5;
  setup.lora.targets = std::move(targets);
  setup.lora.layers = std::move(layers);
  return setup;
}

/// A reference and the values that it was made from, to make it again with one of them changed.
struct Subject {
  TrainingSetup setup;
  Values parameters, adapters;
  std::vector<int> tokens, targets;

  explicit Subject(const TrainingSetup& made_of) : setup(made_of) {
    std::vector<float> weights(setup.shape.parameters());
    fill_initial_weights(setup.shape, 5, weights.data());
    parameters = doubles(weights);
    if (!setup.trains_all())  // B too: were it zero, A would have no gradient
    {
      adapters = doubles(random_values(LoraLayout(setup.shape, setup.lora).parameters, 6, 0.4F));
    }
    fill_batch(setup.shape.vocabulary, 7, static_cast<std::size_t>(setup.batch),
               static_cast<std::size_t>(setup.length), tokens, targets);
  }

  DecoderReference reference() const { return {setup, parameters, adapters, tokens, targets}; }
};

// Central differences of a smooth function in doubles: a truncation of about step^2 and a rounding
// of about 1e-16 / step, 1e-10 each; the rest is what third derivatives add.
constexpr double kNudge = 1e-5, kReferenceTolerance = 1e-8;

double slope(Subject& subject, double& value) {
  const double before = value;
  value = before + kNudge;
  const double up = subject.reference().forward();
  value = before - kNudge;
  const double down = subject.reference().forward();
  value = before;
  return (up - down) / (2 * kNudge);
}

Values gradients_of(const Subject& subject) {
  DecoderReference reference = subject.reference();
  reference.forward();
  return reference.backward();
}

TEST(DecoderReference, GradientOfEveryTensorMatchesFiniteDifferences) {
  Subject subject(toy_setup());
  const Values gradients = gradients_of(subject);
  ASSERT_EQ(gradients.size(), subject.parameters.size());
  for (const ModelTensor& tensor : ModelLayout(subject.setup.shape).tensors()) {
    const std::size_t stride = 1 + tensor.values() / 24;
    double largest = 0;
    for (std::size_t i = 0; i < tensor.values(); i += stride) {
      const std::size_t at = tensor.offset + i;
      ASSERT_NEAR(gradients[at], slope(subject, subject.parameters[at]), kReferenceTolerance)
          << tensor.name << " " << i;
      largest = std::max(largest, std::abs(gradients[at]));
    }
    // Zeros would agree with anything that does not depend on the tensor. A key's bias moves all of
    // a row's scores alike but for the rotation between them.
    EXPECT_GT(largest, 1e-5) << tensor.name;
  }
}

class LoraGradients : public testing::TestWithParam<TrainingSetup> {};

TEST_P(LoraGradients, MatchFiniteDifferences) {
  Subject subject(GetParam());
  const LoraLayout layout(subject.setup.shape, subject.setup.lora);
  const Values gradients = gradients_of(subject);
  ASSERT_EQ(gradients.size(), layout.parameters) << "the model is frozen";
  ASSERT_FALSE(layout.adapters.empty());
  for (std::size_t i = 0; i < gradients.size(); i += 5) {
    ASSERT_NEAR(gradients[i], slope(subject, subject.adapters[i]), kReferenceTolerance) << i;
    EXPECT_NE(gradients[i], 0) << i;
  }
}

std::string targets_name(const testing::TestParamInfo<TrainingSetup>& setup) {
  const std::vector<std::string> names = {"QueriesAndValues", "EveryMap", "TheLastLayer"};
  return names[setup.index];
}
INSTANTIATE_TEST_SUITE_P(
    Targets, LoraGradients,
    testing::Values(lora_setup({Projection::q, Projection::v}),
                    lora_setup({Projection::q, Projection::k, Projection::v, Projection::o,
                                Projection::gate, Projection::up, Projection::down}),
                    lora_setup({Projection::down, Projection::k}, {false, true})),
    targets_name);

TEST(DecoderReference, AnAdapterIsItsProductAddedToTheWeights) {
  const std::vector<Projection> targets = {Projection::q,   Projection::k,    Projection::v,
                                           Projection::o,   Projection::gate, Projection::up,
                                           Projection::down};
  const Subject adapted(lora_setup(targets));
  Subject merged(toy_setup());
  const ModelShape& shape = adapted.setup.shape;
  const std::vector<ModelTensor> tensors = ModelLayout(shape).tensors();
  const LoraLayout layout(shape, adapted.setup.lora);
  ASSERT_EQ(layout.adapters.size(), 14U);
  for (const LoraLayout::Adapter& adapter : layout.adapters) {
    const char* const parts[] = {"q_proj.weight", "k_proj.weight", "v_proj.weight",
                                 "o_proj.weight", "gate_proj",     "up_proj.weight",
                                 "down_proj"};
    const std::string layer = "layers." + std::to_string(adapter.layer) + ".";
    for (const ModelTensor& tensor : tensors) {
      if (tensor.name.find(layer) != std::string::npos &&
          tensor.name.find(parts[static_cast<std::size_t>(adapter.target)]) != std::string::npos) {
        ASSERT_EQ(tensor.shape, (std::vector<std::size_t>{adapter.outputs, adapter.inputs}));
        for (std::size_t o = 0; o < adapter.outputs; ++o) {
          for (std::size_t i = 0; i < adapter.inputs; ++i) {
            for (std::size_t r = 0; r < 3; ++r) {
              merged.parameters[tensor.offset + o * adapter.inputs + i] +=
                  5.0 / 3 * adapted.adapters[adapter.b + o * 3 + r] *
                  adapted.adapters[adapter.a + r * adapter.inputs + i];
            }
          }
        }
      }
    }
  }
  EXPECT_NEAR(adapted.reference().forward(), merged.reference().forward(), 1e-12);
  EXPECT_GT(std::abs(adapted.reference().forward() - Subject(toy_setup()).reference().forward()),
            1e-3);
}

TEST(DecoderReference, NoRowSeesLaterTokensOrOtherSequences) {
  Subject subject(toy_setup());
  DecoderReference before = subject.reference();
  before.forward();
  constexpr std::size_t kChanged = 4;  // of the first sequence
  std::swap(subject.tokens[kChanged], subject.tokens[kChanged + 2]);
  ASSERT_NE(subject.tokens[kChanged], subject.tokens[kChanged + 2]);
  DecoderReference after = subject.reference();
  after.forward();
  const std::size_t vocabulary = subject.setup.shape.tokens();
  for (std::size_t row = 0; row < subject.setup.rows(); ++row) {
    double largest = 0;
    for (std::size_t i = row * vocabulary; i < (row + 1) * vocabulary; ++i) {
      largest = std::max(largest, std::abs(before.logits()[i] - after.logits()[i]));
    }
    if (row >= kChanged && row < 7) {
      EXPECT_GT(largest, 1e-3) << row;
    } else {
      EXPECT_EQ(largest, 0) << row;
    }
  }
}

TEST(DecoderReference, OrderOfEarlierTokensMatters) {
  // Without the rotation, attention would not tell one order from another.
  Subject subject(toy_setup());
  DecoderReference before = subject.reference();
  before.forward();
  std::swap(subject.tokens[0], subject.tokens[1]);
  DecoderReference after = subject.reference();
  after.forward();
  const std::size_t last = 6 * subject.setup.shape.tokens();
  EXPECT_GT(std::abs(before.logits()[last] - after.logits()[last]), 1e-6);
}

TEST(DecoderReference, FirstLossIsNearThatOfGuessing) {
  TrainingSetup setup;
  setup.shape = model_shape("micro");
  setup.length = 32;
  const double loss = Subject(setup).reference().forward();
  // 1/8 above ln V by the embedding's spread; 32 rows scatter by 0.5 / sqrt(32).
  EXPECT_NEAR(loss, std::log(4096) + 0.125, 0.3);
}

TEST(DecoderReference, ActivationsStayNearUnitSize) {
  TrainingSetup setup;
  setup.shape = model_shape("micro");
  setup.length = 32;
  DecoderReference reference = Subject(setup).reference();
  reference.forward();
  double squares = 0;
  for (const double value : reference.layer_input(setup.shape.layers)) {
    squares += value * value;
  }
  const double size = std::sqrt(squares / static_cast<double>(reference.layer_input(0).size()));
  EXPECT_GT(size, 0.3);
  EXPECT_LT(size, 3);
}

TEST(DecoderReference, RefusesSizesThatDoNotFit) {
  Subject subject(toy_setup());
  subject.tokens.pop_back();
  EXPECT_THROW(subject.reference(), std::invalid_argument);
}

}  // namespace
}  // namespace perf::workloads
