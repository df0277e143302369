#include "workloads/quantization/int8_model.h"

#include <gtest/gtest.h>

namespace perf::workloads {
namespace {

constexpr SyntheticShape kSmall{.layers = 2, .hidden = 96, .intermediate = 200, .vocabulary = 150};

void quantize_all(Int8Model& model) {
  for (const char* part : {"embedding", "attention", "mlp"})
    model.quantize(part);
}

TEST(SyntheticShape, FullSizeHasAHundredMillionParameters) {
  EXPECT_EQ(SyntheticShape{}.parameters(), 20000U * 768 + 12 * (4 * 768 * 768 + 2 * 768 * 3072));
  EXPECT_NEAR(static_cast<double>(SyntheticShape{}.parameters()), 100e6, 1e6);
  EXPECT_EQ(kSmall.tensors().size(), 1U + 2 * 6);
}

TEST(Int8Model, QuantizesEveryTensorRightly) {
  Int8Model model(kSmall, 1);
  quantize_all(model);
  const Int8Model::Errors errors = model.errors(1000);  // every row
  EXPECT_LE(errors.levels, 1e-4);
  EXPECT_LE(errors.scales, 1e-6);
  EXPECT_LE(errors.rounding, 0.5 + 1e-4);
  EXPECT_EQ(model.input_bytes(), kSmall.parameters() * 4);
  EXPECT_GT(model.output_bytes(), kSmall.parameters());
  // Normal values, 96 or 200 a row: the largest is about 2.6 deviations, noise (2.6/127)^2/12.
  EXPECT_NEAR(model.signal_to_noise(), 44.5, 1.5);
}

TEST(Int8Model, ErrorsShowOneWrongLevelAndAForgottenPart) {
  Int8Model model(kSmall, 1);
  quantize_all(model);
  std::int8_t& level = model.levels(3)[50];
  level = static_cast<std::int8_t>(level > 0 ? level - 1 : level + 1);
  EXPECT_GT(model.errors(4).rounding, 0.501);
  Int8Model forgotten(kSmall, 1);
  forgotten.quantize("embedding");
  forgotten.quantize("mlp");
  EXPECT_GT(forgotten.errors(4).levels, 0.1);
  EXPECT_GT(forgotten.errors(4).scales, 0.1);
}

}  // namespace
}  // namespace perf::workloads
