#pragma once

#include <map>
#include <string>

namespace perf {

/// Something a reader should know before trusting a number, as data: programs go by the kind and
/// the figures, people read the text.
struct Warning {
  std::string kind;  ///< one of the words in docs/verdicts.md, "Warnings": "noisy", "session_drift"
  std::string text;  ///< one sentence for a person, without a full stop
  std::map<std::string, double> figures{};  ///< what was found and what it was held against

  friend bool operator==(const Warning& a, const Warning& b) {
    return a.kind == b.kind && a.text == b.text && a.figures == b.figures;
  }
};

}  // namespace perf
