#include "reporter/explanations.h"

#include <algorithm>
#include <string>

#include "reporter/quantity.h"
#include "reporter/wording.h"

namespace perf::reporter {
namespace {

constexpr std::size_t kShownFunctions = 3;  ///< more would bury the first

}  // namespace

std::string share_text(double share) {
  return fixed(100 * share, 1) + " %";
}

Prose functions_remark(const Comparison& comparison) {
  Prose prose;
  const std::size_t shown = std::min(comparison.functions.size(), kShownFunctions);
  for (std::size_t i = 0; i < shown; ++i) {
    const FunctionChange& function = comparison.functions[i];
    prose.push_back(words(i == 0 ? "functions whose share moved: " : "; "));
    prose.push_back(name(function.name));
    prose.push_back(words(" "));
    prose.push_back(
        number(share_text(function.base_share) + " -> " + share_text(function.head_share)));
    if (function.base_seconds && function.head_seconds) {
      prose.push_back(words(" ("));
      prose.push_back(number(quantities(*function.base_seconds, *function.head_seconds, "s")));
      prose.push_back(words(")"));
    }
  }
  if (comparison.functions.size() > shown) {
    prose.push_back(words("; " + std::to_string(comparison.functions.size() - shown) + " more"));
  }
  return prose;
}

Prose layout_remark(const Comparison& comparison) {
  if (!comparison.layout || comparison.layout->label.empty()) {
    return {};
  }
  const LayoutEffect& layout = *comparison.layout;
  Prose prose{{Tone::warn, layout.label}, words(": the hot code is the same at base and head")};
  if (layout.builds == 0) {
    prose.push_back(words(", and the build does not move it when asked to"));
    return prose;
  }
  prose.push_back(words("; linked anew " + counted(layout.builds, "time", "times")));
  if (layout.change) {
    prose.push_back(words(", the change is "));
    prose.push_back(number(change_text(*layout.change, layout.interval)));
  }
  return prose;
}

}  // namespace perf::reporter
