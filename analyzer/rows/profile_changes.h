#pragma once

#include <optional>
#include <vector>

#include "schema/profile.h"

namespace perf {

/// A share moved when it did so by more than chance would have it, and by enough to be worth a
/// word.
inline constexpr double kShareSigmas = 3;
inline constexpr double kLeastShareMoved = 0.01;  ///< of the samples: one percentage point

/// The functions whose share of the samples is not the same in two profiles: by kShareSigmas
/// standard errors of a difference of two binomial proportions, pooled (Fleiss, Levin & Paik,
/// "Statistical Methods for Rates and Proportions", 2003, section 3.2), and by kLeastShareMoved.
/// Functions are identified by symbol and file name. With the medians of a step on both sides (s)
/// the changes are in seconds too, and sorted by them: where one function got slower, the shares of
/// all the others shrink. Empty where a side has no samples.
std::vector<FunctionChange> profile_changes(const Profile& base, const Profile& head,
                                            std::optional<double> base_step = std::nullopt,
                                            std::optional<double> head_step = std::nullopt);

}  // namespace perf
