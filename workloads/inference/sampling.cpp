#include "workloads/inference/sampling.h"

#include <algorithm>

#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {

constexpr std::size_t kFloatsInLine = 16;

double deviation_before_temperature(const SamplingSetup& setup) {
  const bool has_temperature = setup.options.method != SamplingMethod::greedy;
  return setup.deviation * (has_temperature ? setup.options.temperature : 1);
}

}  // namespace

Sampling::Sampling(const SamplingSetup& setup, std::uint64_t seed, Ledger& memory)
    : setup_(setup),
      unit_seed_(derived_seed(seed, 0)),
      stride_((setup.vocabulary + kFloatsInLine - 1) / kFloatsInLine * kFloatsInLine),
      logits_(memory.take<float>(Purpose::activations, setup.vectors * stride_)),
      tokens_(memory.take<std::uint32_t>(Purpose::activations, kKeptDraws)),
      sampler_(setup.options, setup.vocabulary, memory) {
  if (memory.counting()) {
    return;
  }
  const auto deviation = static_cast<float>(deviation_before_temperature(setup));
  for (std::size_t i = 0; i < setup.vectors; ++i) {
    fill_normal(logits_ + i * stride_, setup.vocabulary,
                derived_seed(seed, static_cast<std::uint32_t>(i + 1)), deviation);
  }
}

double Sampling::unit(std::size_t draw) const {
  return random_bits(unit_seed_, static_cast<std::uint32_t>(draw)) * 0x1p-32;
}

void Sampling::step() {
  for (std::size_t i = 0; i < setup_.samples; ++i, ++drawn_) {
    tokens_[drawn_ % kKeptDraws] = static_cast<std::uint32_t>(choose(drawn_));
  }
}

std::vector<Sampling::Draw> Sampling::draws(std::size_t i) const {
  std::vector<Draw> all;
  for (std::size_t n = drawn_ - std::min(drawn_, kKeptDraws); n < drawn_; ++n) {
    if (n % setup_.vectors == i) {
      all.push_back({unit(n), tokens_[n % kKeptDraws]});
    }
  }
  return all;
}

}  // namespace perf::workloads
