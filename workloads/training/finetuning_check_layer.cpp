#include <algorithm>

#include "workloads/kernels/agreement.h"
#include "workloads/training/finetuning_check.h"
#include "workloads/training/finetuning_reference.h"

namespace perf::workloads {

namespace {

using Values = std::vector<double>;

// The adapters of one layer beside `targets`, in their order; none where it has none.
Values adapters_of(const Finetuning& model, int layer, const std::vector<Projection>& targets) {
  const LoraLayout layout(model.setup().shape, model.setup().lora);
  const auto rank = static_cast<std::size_t>(model.setup().lora.rank);
  const std::vector<float> all = model.adapters();
  Values own;
  for (const LoraLayout::Adapter& adapter : layout.adapters) {
    if (adapter.layer == layer &&
        std::find(targets.begin(), targets.end(), adapter.target) != targets.end()) {
      own.insert(own.end(), all.begin() + static_cast<std::ptrdiff_t>(adapter.a),
                 all.begin() + static_cast<std::ptrdiff_t>(adapter.b + rank * adapter.outputs));
    }
  }
  return own;
}

// What a reference of one layer makes of `in` (rows,H): its embedding is made of those rows, and
// nobody looks at its final norm. `weights` are the layer's.
Values layer_of(TrainingSetup slice, const Values& in, const Values& weights, Values adapters) {
  const std::size_t rows = in.size() / slice.shape.width();
  slice.shape.layers = 1;
  slice.shape.vocabulary = static_cast<int>(rows);
  slice.batch = 1;
  slice.length = static_cast<int>(rows);
  slice.lora.layers.clear();
  if (adapters.empty()) {
    slice.lora.rank = 0;
  }
  Values parameters = in;
  parameters.insert(parameters.end(), weights.begin(), weights.end());
  parameters.resize(slice.shape.parameters(), 1.0);
  std::vector<int> tokens(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    tokens[row] = static_cast<int>(row);
  }
  DecoderReference reference(slice, std::move(parameters), std::move(adapters), tokens, tokens);
  reference.forward();
  return reference.layer_input(1);
}

std::vector<Projection> those_of(const LoraOptions& lora,
                                 const std::vector<Projection>& candidates) {
  std::vector<Projection> own;
  for (const Projection target : candidates) {
    if (std::find(lora.targets.begin(), lora.targets.end(), target) != lora.targets.end()) {
      own.push_back(target);
    }
  }
  return own;
}

// The stream behind attention, of all rows: a layer whose MLP is one unit wide and 0.
Values after_attention(const Finetuning& model, int layer, const Values& in) {
  TrainingSetup slice = model.setup();
  const ModelLayout layout(slice.shape);
  Values weights =
      doubles(model.parameters(layout.layer(layer), layout.gate_up(layer) - layout.layer(layer)));
  slice.shape.intermediate = 1;
  weights.resize(slice.shape.layer_parameters());
  slice.lora.targets =
      those_of(slice.lora, {Projection::q, Projection::k, Projection::v, Projection::o});
  return layer_of(slice, in, weights, adapters_of(model, layer, slice.lora.targets));
}

// What the MLP adds to `middle` (rows,H): a layer whose attention is one narrow head and 0.
Values after_mlp(const Finetuning& model, int layer, const Values& middle) {
  TrainingSetup slice = model.setup();
  const ModelLayout layout(slice.shape);
  const std::size_t end = layout.layer(layer) + slice.shape.layer_parameters();
  const Values mlp =
      doubles(model.parameters(layout.mlp_norm(layer), end - layout.mlp_norm(layer)));
  slice.shape.heads = slice.shape.kv_heads = 1;
  slice.shape.head_size = 2;
  Values weights(slice.shape.layer_parameters() - mlp.size());
  weights.insert(weights.end(), mlp.begin(), mlp.end());
  slice.lora.targets = those_of(slice.lora, {Projection::gate, Projection::up, Projection::down});
  return layer_of(slice, middle, weights, adapters_of(model, layer, slice.lora.targets));
}

// The first and the last `rows` rows of `values` (length,width); all where there are fewer.
template <class Value>
Values ends(const std::vector<Value>& values, std::size_t length, std::size_t width,
            std::size_t rows) {
  Values both;
  for (std::size_t row = 0; row < length; ++row) {
    if (row < rows || row + rows >= length) {
      both.insert(both.end(), values.begin() + static_cast<std::ptrdiff_t>(row * width),
                  values.begin() + static_cast<std::ptrdiff_t>((row + 1) * width));
    }
  }
  return both;
}

}  // namespace

double layer_error(Finetuning& model, int layer, std::size_t rows) {
  const TrainingSetup& setup = model.setup();
  const std::size_t width = setup.shape.width(), length = static_cast<std::size_t>(setup.length);
  model.forward();
  Values in = doubles(model.layer_input(layer));
  in.resize(length * width);  // the first sequence
  const Values middle = ends(after_attention(model, layer, in), length, width, rows);
  const Values want = after_mlp(model, layer, middle);
  const Values got = ends(model.layer_input(layer + 1), length, width, rows);
  return largest_relative_error(got.data(), want.data(), want.size());
}

}  // namespace perf::workloads
