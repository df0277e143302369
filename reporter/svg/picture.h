#pragma once

#include <string>

namespace perf::reporter::svg {

/// The style sheet of every picture: classes by variables, which are light where nobody sets them.
extern const char* const kPictureStyle;
/// Sets those variables to dark where the reader prefers it; for pictures on their own, since a
/// page sets them itself.
extern const char* const kDarkPictureStyle;

/// An <svg> element of `Drawing` as a file of its own: with its style, for any viewer.
std::string stand_alone(const std::string& svg);

}  // namespace perf::reporter::svg
