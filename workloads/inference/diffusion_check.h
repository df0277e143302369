#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/inference/diffusion.h"

namespace perf::workloads {

/// How many new positions were not kept exactly once, in the step's number, with a token other than
/// the mask, or do not hold what was kept.
std::size_t wrongly_kept(const DiffusionSetup& setup, int mask, const std::vector<int>& tokens,
                         const std::vector<Diffusion::Kept>& kept);
/// Of the last run.
std::size_t wrongly_kept(const Diffusion& diffusion);

/// How far the last run, a greedy one, was from what the reference's bidirectional logits give,
/// step by step over the same tokens: the worst of
///     by how much a position's token is behind the most probable one, as logits;
///     by how much one kept later, or not yet, has a higher confidence, as logarithms;
/// by the largest logit. Of equals within single precision any may come first.
double unmasking_error(const Decoder& decoder, const Diffusion& diffusion);

/// On a small model with the same types and backend, greedily, and on the timed one:
///     unmasked_as_reference   unmasking_error() of the small model
///     unmasked_once           wrongly_kept() of both
///     seed_gives_same_text    how many tokens differ between a run of the small model, with the
///                             same sampling, and another from the same seed
std::vector<std::string> diffusion_checks();
void check_diffusion(const Decoder& decoder, const Diffusion& timed, std::uint64_t seed,
                     perf_compare::StepEmitter& out);

}  // namespace perf::workloads
