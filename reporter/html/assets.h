#pragma once

namespace perf::reporter::html {

// The style sheets and scripts of this folder, as the build found them, and their SHA-256 in
// base64.
extern const char* const kPageStyle;
extern const char* const kPageStyleHash;
extern const char* const kPageScript;
extern const char* const kPageScriptHash;
extern const char* const kListScript;  ///< list.js
extern const char* const kListScriptHash;
extern const char* const kHistoryScript;
extern const char* const kHistoryScriptHash;
extern const char* const kHistoryStyle;  ///< history.css
extern const char* const kHistoryStyleHash;

}  // namespace perf::reporter::html
