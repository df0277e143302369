#include "workloads/quantization/int8_model.h"

#include <algorithm>
#include <cmath>

#include "workloads/kernels/agreement.h"
#include "workloads/kernels/quantize.h"
#include "workloads/kernels/random.h"

namespace perf::workloads {

namespace {
constexpr float kWeightDeviation = 0.02F;  // as GPT-2 initializes
}

std::size_t Int8Model::bytes(const SyntheticShape& shape) {
  std::size_t sum = 0;
  for (const Tensor& tensor : shape.tensors())
    sum += Arena::room<float>(tensor.values()) + Arena::room<std::int8_t>(tensor.values()) +
           Arena::room<float>(tensor.rows);
  return sum;
}

Int8Model::Int8Model(const SyntheticShape& shape, std::uint64_t seed) : arena_(bytes(shape)) {
  std::uint32_t stream = 0;
  for (const Tensor& tensor : shape.tensors()) {
    slots_.push_back({tensor, arena_.take<float>(tensor.values()),
                      arena_.take<std::int8_t>(tensor.values()), arena_.take<float>(tensor.rows)});
    fill_normal(slots_.back().weights, tensor.values(), derived_seed(seed, stream++),
                kWeightDeviation);
  }
}

void Int8Model::quantize(std::string_view part) {
  for (const auto& [tensor, weights, levels, scales] : slots_)
    if (tensor.part == part)
      quantize_int8(weights, levels, scales, tensor.rows, tensor.columns);
}

double Int8Model::signal_to_noise() const {
  QuantizationPower sum;
  for (const auto& [tensor, weights, levels, scales] : slots_) {
    const QuantizationPower power =
        quantization_power(weights, levels, scales, tensor.rows, tensor.columns);
    sum.signal += power.signal;
    sum.noise += power.noise;
  }
  return 10 * std::log10(sum.signal / sum.noise);
}

Int8Model::Errors Int8Model::errors(std::size_t rows) const {
  Errors worst;
  std::size_t values = 0, different = 0;
  const auto compare = [&](const Slot& slot, std::size_t first, std::size_t count) {
    const std::size_t columns = slot.tensor.columns, offset = first * columns;
    std::vector<std::int8_t> levels(count * columns);
    std::vector<float> scales(count);
    quantize_int8_reference(slot.weights + offset, levels.data(), scales.data(), count, columns);
    values += levels.size();
    for (std::size_t i = 0; i < levels.size(); ++i)
      different += levels[i] == slot.levels[offset + i] ? 0 : 1;
    worst.scales =
        std::fmax(worst.scales, largest_relative_error(slot.scales + first, scales.data(), count));
    worst.rounding =
        std::fmax(worst.rounding, largest_rounding(slot.weights + offset, slot.levels + offset,
                                                   slot.scales + first, count, columns));
  };
  for (const Slot& slot : slots_) {
    const std::size_t count = std::min(rows, slot.tensor.rows);
    compare(slot, 0, count);
    compare(slot, slot.tensor.rows - count, count);
  }
  worst.levels = static_cast<double>(different) / static_cast<double>(values);
  return worst;
}

std::size_t Int8Model::input_bytes() const {
  std::size_t sum = 0;
  for (const Slot& slot : slots_)
    sum += slot.tensor.values() * sizeof(float);
  return sum;
}

std::size_t Int8Model::output_bytes() const {
  std::size_t sum = 0;
  for (const Slot& slot : slots_)
    sum += slot.tensor.values() + slot.tensor.rows * sizeof(float);
  return sum;
}

}  // namespace perf::workloads
