#include "workloads/training/batch.h"

#include "workloads/kernels/random.h"

namespace perf::workloads {

void fill_batch(int vocabulary, std::uint64_t seed, std::size_t batch, std::size_t length,
                std::vector<int>& tokens, std::vector<int>& targets) {
  constexpr std::uint32_t kStream = 0xba7c4;  // apart from the weights' streams
  const std::uint32_t stream = derived_seed(seed, kStream);
  const auto token =
      [&](std::size_t index) {  // the upper bits, scaled: no division, no bias to see
        const std::uint64_t bits = random_bits(stream, static_cast<std::uint32_t>(index));
        return static_cast<int>(bits * static_cast<std::uint64_t>(vocabulary) >> 32);
      };
  tokens.resize(batch * length);
  targets.resize(batch * length);
  for (std::size_t row = 0; row < batch; ++row) {
    for (std::size_t position = 0; position < length; ++position) {
      const std::size_t index = row * (length + 1) + position;
      tokens[row * length + position] = token(index);
      targets[row * length + position] = token(index + 1);
    }
  }
}

}  // namespace perf::workloads
