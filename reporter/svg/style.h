#pragma once

namespace perf::reporter::svg {

/// The style sheet of every picture: classes by variables, which are light where nobody sets them.
extern const char* const kPictureStyle;
/// Sets those variables to dark where the reader prefers it; for pictures on their own, since a
/// page sets them itself.
extern const char* const kDarkPictureStyle;

/// The SHA-256 of `kPictureStyle` in base64.
extern const char* const kPictureStyleHash;

}  // namespace perf::reporter::svg
