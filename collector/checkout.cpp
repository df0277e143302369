#include "collector/checkout.h"

#include "collector/build/build_excerpt.h"

namespace perf {

std::string why_failed(const Checkout& checkout) {
  const std::string why = checkout.excerpt.empty() ? "" : main_line(checkout.excerpt);
  const std::string see = checkout.log.empty() ? "" : "see " + checkout.log.string();
  return why + (why.empty() || see.empty() ? "" : "; ") + see;
}

std::string failure_line(const Checkout& checkout) {
  const std::string why = why_failed(checkout);
  return checkout.failure + (why.empty() ? "" : (checkout.excerpt.empty() ? "; " : ": ") + why) +
         (checkout.remedy.empty() ? "" : "; hint: " + checkout.remedy);
}

std::string failure_lines(const std::string& side, const Checkout& checkout) {
  std::string text = (side.empty() ? "" : side + " ") + checkout.failure;
  for (const std::string& line : checkout.excerpt) {
    text += "\n" + line;
  }
  if (!checkout.remedy.empty()) {
    text += "\nhint: " + checkout.remedy;
  }
  text += "\nsee " + checkout.log.string();
  if (!checkout.built.empty()) {
    text += ", of " + checkout.built + " in " + checkout.directory.string();
  }
  return text;
}

std::vector<Warning> warnings_of(const Checkouts& checkouts) {
  std::vector<Warning> warnings = checkouts.head.warnings;
  if (checkouts.base.directory != checkouts.head.directory) {
    warnings.insert(warnings.end(), checkouts.base.warnings.begin(), checkouts.base.warnings.end());
  }
  return warnings;
}

}  // namespace perf
