#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "workloads/model/model_shape.h"

namespace perf::workloads::reference {

/// Gives `count` parameters from `offset` on, as ModelLayout has them: so that a large model need
/// not be held as doubles.
using ParameterReader = std::function<std::vector<double>(std::size_t offset, std::size_t count)>;

/// The logits (tokens.size(),V) of every position of one sequence, in double precision and plain
/// loops, without a cache. Where it is not causal, every position sees all of them (masked
/// diffusion).
std::vector<double> decoder_logits(const ModelShape& shape, const ParameterReader& read,
                                   const std::vector<int>& tokens, bool causal = true);
/// parameters as ModelLayout has them.
std::vector<double> decoder_logits(const ModelShape& shape, const std::vector<double>& parameters,
                                   const std::vector<int>& tokens, bool causal = true);

/// exp of the mean of -log p(token | those before) over tokens[1], tokens[2], ...; logits as above.
double perplexity(const std::vector<double>& logits, const std::vector<int>& tokens);

}  // namespace perf::workloads::reference
