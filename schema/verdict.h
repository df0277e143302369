#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "schema/text/words.h"

namespace perf {

/// From worst to best: a report's verdict is the smallest of its comparisons'.
enum class Verdict {
  regressed,
  failed,
  inconclusive,
  incomparable,
  missing,
  improved,
  fresh,  ///< printed as "new": only head has it
  unchanged,
};

inline constexpr std::array<Verdict, 8> kVerdicts{
    Verdict::regressed, Verdict::failed,   Verdict::inconclusive, Verdict::incomparable,
    Verdict::missing,   Verdict::improved, Verdict::fresh,        Verdict::unchanged};

/// The contract's word for it.
template <>
inline constexpr std::array<std::string_view, 8> kWords<Verdict>{
    "regressed", "failed",   "inconclusive", "incomparable",
    "missing",   "improved", "new",          "unchanged"};

/// Whether it is a change, for the better or the worse.
constexpr bool is_change(std::optional<Verdict> verdict) {
  return verdict == Verdict::regressed || verdict == Verdict::improved;
}

}  // namespace perf
