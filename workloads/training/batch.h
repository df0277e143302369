#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace perf::workloads {

/// Random text to train on: tokens and targets (batch,length), from `seed` and the position alone.
/// Each row is a window of a sequence one longer, so that a target is the token that comes next.
void fill_batch(int vocabulary, std::uint64_t seed, std::size_t batch, std::size_t length,
                std::vector<int>& tokens, std::vector<int>& targets);

}  // namespace perf::workloads
