#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/selftest.h"
#include "schema/warning.h"

namespace perf::reporter {

/// The sentence of a kind of warning. In braces stand figures and what it is about, by their names:
///
///     {name}               a text; of a figure, the whole number
///     {name%} {name+%}     a share in percent ("8 %"), one with its sign ("+8 %"),
///     {name.%}             and one with two significant digits, however small ("0.00043 %")
///     {name:is/are}        the first word where the figure is 1, else the second
///     [one|another|...]    the first of these of which the warning has all; none: nothing
struct Wording {
  WarningKind kind;
  std::string_view text;
  std::string_view topic{};  ///< what rows share a line for, whatever their figures; else empty
};
/// Null for a kind that has none, which a test forbids.
const Wording* find_wording(WarningKind kind);

/// "session drift: both sides moved by +9.4 % from start to end; pairs cancel it": a sentence
/// without a full stop. Of a warning that lacks what its sentence needs, the kind alone.
std::string sentence(const Warning& warning);

std::vector<std::string> sentences(const std::vector<Warning>& warnings);

/// Why a verdict of a self-test turned out as it did; may be empty.
std::string why_text(const SelftestRow& row);

}  // namespace perf::reporter
