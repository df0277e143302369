#include <utility>

#include "workloads/commands/answers_by_kind.h"
#include "workloads/inference/sampling_workload.h"

namespace perf::workloads {

namespace {

using perf_compare::Fields;
using Tensors = std::vector<NamedTensor>;

// What draws, and the memory that it lives in.
struct Drawing {
  explicit Drawing(const RunRequest& request)
      : setup(sampling_setup(request.settings)),
        memory(room(setup, request.wanted.seed)),
        sampling(setup, request.wanted.seed, memory) {}

  static Ledger room(const SamplingSetup& setup, std::uint64_t seed) {
    Ledger counted;
    const Sampling counting(setup, seed, counted);
    return Ledger(counted);
  }

  SamplingSetup setup;
  Ledger memory;
  Sampling sampling;
};

Fields sampling_fields(const RunRequest& request) {
  const SamplingSetup setup = sampling_setup(request.settings);
  Fields fields = {{"kind", "sampling"},
                   {"vocabulary", setup.vocabulary},
                   {"vectors", setup.vectors},
                   {"samples", setup.samples}};
  add_sampling(setup.options, fields);
  return fields;
}

Tensors sampling_inputs(const RunRequest& request) {
  const Drawing drawing(request);
  const SamplingSetup& setup = drawing.setup;
  NamedTensor logits{"logits", {setup.vectors, setup.vocabulary}, {}};
  for (std::size_t i = 0; i < setup.vectors; ++i) {
    const float* values = drawing.sampling.logits(i);
    logits.floats.insert(logits.floats.end(), values, values + setup.vocabulary);
  }
  const std::size_t draws =
      setup.samples * static_cast<std::size_t>(request.wanted.steps + request.wanted.warmup);
  NamedTensor units{"unit_bits", {draws}, {}};
  for (std::size_t draw = 0; draw < draws; ++draw) {
    units.integers.push_back(bits_of(drawing.sampling.unit(draw)));
  }
  return {std::move(logits), std::move(units)};
}

Tensors sampling_trace(const RunRequest& request) {
  Drawing drawing(request);
  const SamplingSetup& setup = drawing.setup;
  const std::size_t count = setup.samples * static_cast<std::size_t>(request.wanted.steps);
  NamedTensor tokens{"tokens", {count}, {}};
  for (std::size_t draw = 0; draw < count; ++draw) {
    tokens.floats.push_back(static_cast<float>(drawing.sampling.choose(draw)));
  }
  return {std::move(tokens)};
}

std::size_t sampling_memory(const RunRequest& request) {
  Ledger counted;
  const Sampling counting(sampling_setup(request.settings), request.wanted.seed, counted);
  return counted.total();
}

}  // namespace

InferenceAnswers sampling_answers() {
  return {"inference/sampling", sampling_fields, sampling_inputs,
          sampling_trace,       sampling_memory, nullptr};
}

}  // namespace perf::workloads
