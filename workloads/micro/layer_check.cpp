#include "workloads/micro/layer_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <numeric>

#include "workloads/kernels/agreement.h"
#include "workloads/micro/layer_links.h"
#include "workloads/training/decoder_reference.h"

namespace perf::workloads {

namespace {

using Values = std::vector<double>;

/// A tensor of a layer, or q, k and v of their matrix and their bias.
struct Range {
  const char* name;
  std::size_t offset, count;
};

// Of the weights of a part, from the layer's first one on.
std::vector<Range> tensors_of(LayerPart part, const ModelLayout& layout) {
  const ModelShape& shape = layout.shape;
  const std::size_t width = shape.width(), query = shape.query_width(), kv = shape.kv_width();
  std::vector<Range> ranges;
  if (part != LayerPart::mlp) {
    const std::size_t qkv = layout.qkv(0), bias = layout.qkv_bias(0);
    ranges = {{"attention norm", layout.attention_norm(0), width},
              {"q", qkv, query * width},
              {"k", qkv + query * width, kv * width},
              {"v", qkv + (query + kv) * width, kv * width},
              {"out", layout.out(0), width * query}};
    if (shape.has_qkv_bias) {
      ranges.insert(ranges.end() - 1, {{"q bias", bias, query},
                                       {"k bias", bias + query, kv},
                                       {"v bias", bias + query + kv, kv}});
    }
  }
  if (part != LayerPart::attention) {
    ranges.push_back({"mlp norm", layout.mlp_norm(0), width});
    ranges.push_back({"gate and up", layout.gate_up(0), 2 * shape.inner() * width});
    ranges.push_back({"down", layout.down(0), width * shape.inner()});
  }
  for (Range& range : ranges) {
    range.offset -= layout.layer(0);
  }
  return ranges;
}

template <class T>
Values parameters_of(const LayerUnderTest<T>& layer) {
  const ModelLayout layout(layer.setup().shape);
  Values all = widened(layer.arrays().parameters, layout.shape.parameters());
  const auto silence = [&](std::size_t offset, std::size_t count) {
    std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(offset), count, 0.0);
  };
  // A half that does not run adds nothing to the stream, nor to the gradient on its way down.
  if (layer.part() == LayerPart::attention) {
    silence(layout.down(0), layout.shape.width() * layout.shape.inner());
  }
  if (layer.part() == LayerPart::mlp) {
    silence(layout.out(0), layout.shape.width() * layout.shape.query_width());
  }
  return all;
}

// A reference whose embedding is the layer's input: row i is of token i.
template <class T>
DecoderReference reference_of(const LayerUnderTest<T>& layer) {
  TrainingSetup setup = layer.setup();
  const std::size_t rows = setup.rows(), width = setup.shape.width();
  Values parameters = widened(layer.in(), rows * width);
  const Values own = parameters_of(layer);
  const auto first = static_cast<std::ptrdiff_t>(ModelLayout(setup.shape).layer(0));
  parameters.insert(parameters.end(), own.begin() + first, own.end());
  setup.shape.vocabulary = static_cast<int>(rows);
  std::vector<int> tokens(rows);
  std::iota(tokens.begin(), tokens.end(), 0);
  return {setup, std::move(parameters), {}, tokens, tokens};
}

template <class T>
double error_of(const T* got, const double* want, std::size_t count) {
  const Values wide = widened(got, count);
  return largest_relative_error(wide.data(), want, count);
}

template <class T>
std::vector<T> copied(const T* values, std::size_t count) {
  return {values, values + count};
}

template <class T>
std::size_t differing(const std::vector<T>& a, const std::vector<T>& b) {
  using Bytes = std::array<std::byte, sizeof(T)>;
  std::size_t count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    count += std::bit_cast<Bytes>(a[i]) != std::bit_cast<Bytes>(b[i]) ? 1 : 0;
  }
  return count;
}

}  // namespace

TrainingSetup small_layer_setup(LayerPart part, const TrainingSetup& setup) {
  const ModelShape shape{.layers = 1,
                         .hidden = 64,
                         .heads = 4,
                         .kv_heads = 2,
                         .head_size = 16,
                         .intermediate = 96,
                         .vocabulary = 1,
                         .rope_theta = setup.shape.rope_theta,
                         .norm_epsilon = setup.shape.norm_epsilon,
                         .rope_scaling = setup.shape.rope_scaling,
                         .has_qkv_bias = setup.shape.has_qkv_bias};
  TrainingSetup small = layer_setup(part, shape);
  small.batch = 2;
  small.length = 70;
  small.dtype = setup.dtype;
  small.backend = setup.backend;
  return small;
}

template <class T>
LayerParity layer_parity(const LayerUnderTest<T>& layer) {
  const std::size_t count = layer.setup().rows() * layer.setup().shape.width();
  DecoderReference reference = reference_of(layer);
  reference.forward_layers();
  const Values want = reference.backward_layers(widened(layer.grad_out(), count));
  LayerParity parity;
  parity.output = error_of(layer.out(), reference.layer_input(1).data(), count);
  parity.grad_in = error_of(layer.grad_in(), want.data(), count);
  const ModelLayout layout(layer.setup().shape);
  for (const Range& range : tensors_of(layer.part(), layout)) {
    const double error = error_of(layer.arrays().gradients + layout.layer(0) + range.offset,
                                  &want[count + range.offset], range.count);
    if (is_worse(error, parity.gradients)) {
      parity.gradients = error;
      parity.where = range.name;
    }
  }
  return parity;
}

template <class T>
LayerResults<T> LayerResults<T>::of(const LayerUnderTest<T>& layer) {
  const std::size_t count = layer.setup().rows() * layer.setup().shape.width();
  return {copied(layer.out(), count), copied(layer.grad_in(), count),
          copied(layer.arrays().gradients, layer.arrays().trained_count)};
}

template <class T>
std::size_t LayerResults<T>::different_from(const LayerResults& other) const {
  return differing(out, other.out) + differing(grad_in, other.grad_in) +
         differing(gradients, other.gradients);
}

// As finetuning_check.cpp's, which explains them. A link rounds its results once or twice, which
// is up to 1.5 times 2^-8 or 2^-11 of the largest; one value that is missing is 0.03 of a folded
// sum.
LayerTolerances layer_tolerances(DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return {.forward = 1e-5, .gradient = 2e-5, .link = 1e-5};
    case DType::bf16:
      return {.forward = 8 * 0x1p-8, .gradient = 24 * 0x1p-8, .link = 4 * 0x1p-8};
    case DType::fp16:
      break;
  }
  return {.forward = 8 * 0x1p-11, .gradient = 24 * 0x1p-11, .link = 4 * 0x1p-11};
}

std::vector<std::string> layer_checks() {
  return {"small_output_matches_reference", "small_gradients_match_reference",
          "timed_links_match_reference", "timed_calls_are_alike"};
}

template <class T>
void check_layer(LayerUnderTest<T>& timed, perf_compare::StepEmitter& out) {
  const std::uint64_t seed = out.wanted().seed;
  const LayerTolerances allowed = layer_tolerances(timed.setup().dtype);
  const auto check = [&](const char* name, double error, double tolerance,
                         const std::string& where) {
    out.check(name, error, tolerance);
    if (!out.checks().back().passed()) {
      fmt::print(stderr, "{}: the worst is {}\n", name, where);
    }
  };
  const LayerResults<T> results = LayerResults<T>::of(timed);

  LayerUnderTest<T> small(timed.part(), small_layer_setup(timed.part(), timed.setup()), seed);
  small.forward();
  small.backward();
  const LayerParity parity = layer_parity(small);
  check("small_output_matches_reference", parity.output, allowed.forward, "the output");
  const bool input = is_worse(parity.grad_in, parity.gradients);
  check("small_gradients_match_reference", input ? parity.grad_in : parity.gradients,
        allowed.gradient, input ? "the input" : parity.where);

  const LinkError worst = worst_of(all_links(timed));
  check("timed_links_match_reference", worst.error, allowed.link, worst.name);
  out.check("timed_calls_are_alike",
            static_cast<double>(LayerResults<T>::of(timed).different_from(results)), 0);
}

#define PERF_LAYER_CHECK(T)                                    \
  template LayerParity layer_parity(const LayerUnderTest<T>&); \
  template struct LayerResults<T>;                             \
  template void check_layer(LayerUnderTest<T>&, perf_compare::StepEmitter&);
PERF_LAYER_CHECK(float)
PERF_LAYER_CHECK(Bf16)
PERF_LAYER_CHECK(Fp16)
#undef PERF_LAYER_CHECK

}  // namespace perf::workloads
