#pragma once

#include <string>
#include <string_view>

namespace perf::reporter::svg {

/// Presentation attributes of an element with these classes, " name=\"value\"..." or empty: the
/// light colours and the widths of picture.css, for where a page allows no style sheet (Jenkins
/// shows archived pages so) and for viewers that know no CSS variables. Style sheets overrule them.
std::string paint(std::string_view classes);

}  // namespace perf::reporter::svg
