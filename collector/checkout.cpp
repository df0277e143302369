#include "collector/checkout.h"

#include "collector/build/build_excerpt.h"

namespace perf {

std::string told(const Checkout& checkout) {
  return checkout.failure + (checkout.said.empty() ? "" : ": " + telling_line(checkout.said)) +
         (checkout.log.empty() ? "" : "; see " + checkout.log.string()) +
         (checkout.remedy.empty() ? "" : "; try: " + checkout.remedy);
}

std::string told_in_lines(const std::string& side, const Checkout& checkout) {
  std::string text = (side.empty() ? "" : side + " ") + checkout.failure;
  for (const std::string& line : checkout.said) {
    text += "\n" + line;
  }
  if (!checkout.remedy.empty()) {
    text += "\ntry: " + checkout.remedy;
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
