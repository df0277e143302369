#include <algorithm>

#include "workloads/kernels/agreement.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_reference.h"

namespace perf::workloads {

namespace {

// The adapters beside one layer, which lie together; none: rank 0.
std::vector<double> adapters_of(const Finetuning& model, int layer) {
  const LoraLayout layout(model.setup().shape, model.setup().lora);
  const auto rank = static_cast<std::size_t>(model.setup().lora.rank);
  const std::vector<float> all = model.adapters();
  std::vector<double> own;
  for (const LoraLayout::Adapter& adapter : layout.adapters)
    if (adapter.layer == layer)
      own.insert(own.end(), all.begin() + static_cast<std::ptrdiff_t>(adapter.a),
                 all.begin() + static_cast<std::ptrdiff_t>(adapter.b + rank * adapter.outputs));
  return own;
}

}  // namespace

double layer_error(Finetuning& model, int layer, std::size_t rows) {
  const TrainingSetup& setup = model.setup();
  const ModelShape& shape = setup.shape;
  const ModelLayout layout(shape);
  rows = std::min(rows, static_cast<std::size_t>(setup.length));
  const std::size_t count = rows * shape.width();
  model.forward();
  const std::vector<float> in = model.layer_input(layer), got = model.layer_input(layer + 1);
  const std::vector<double> adapters = adapters_of(model, layer);

  // A reference of that layer alone, whose embedding is made of the rows that go into the layer.
  TrainingSetup slice = setup;
  slice.shape.layers = 1;
  slice.shape.vocabulary = static_cast<int>(rows);
  slice.batch = 1;
  slice.length = static_cast<int>(rows);
  slice.lora.layers.clear();
  if (adapters.empty())
    slice.lora.rank = 0;
  std::vector<double> parameters(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(count));
  const std::vector<float> weights =
      model.parameters(layout.layer(layer), shape.layer_parameters());
  parameters.insert(parameters.end(), weights.begin(), weights.end());
  parameters.resize(slice.shape.parameters(), 1.0);  // the final norm, which nobody looks at
  std::vector<int> tokens(rows);
  for (std::size_t row = 0; row < rows; ++row)
    tokens[row] = static_cast<int>(row);
  DecoderReference reference(slice, std::move(parameters), adapters, tokens, tokens);
  reference.forward();
  return largest_relative_error(got.data(), reference.layer_input(1).data(), count);
}

}  // namespace perf::workloads
