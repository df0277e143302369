#pragma once

#include <string>
#include <string_view>

namespace perf::reporter::svg {

/// The style sheet of every picture: classes by variables, which are light unless set.
extern const char* const kPictureStyle;
/// Sets those variables to dark where the reader prefers it; for pictures on their own, since a
/// page sets them itself.
extern const char* const kDarkPictureStyle;

/// The SHA-256 of `kPictureStyle` in base64.
extern const char* const kPictureStyleHash;

/// Presentation attributes of an element with these classes, " name=\"value\"..." or empty: the
/// light colours and the widths of picture.css, for where a page allows no style sheet (Jenkins
/// shows archived pages so) and for viewers that know no CSS variables. Style sheets overrule them.
std::string paint(std::string_view classes);

}  // namespace perf::reporter::svg
