#include "reporter/plain_prose.h"

#include "reporter/span_text.h"

namespace perf::reporter {
namespace {

constexpr TextLimits kLimits{200, 1000};

}  // namespace

std::string plain_prose(const Prose& prose) {
  return prose_text(prose, kLimits);
}

std::string plain_sentences(const std::vector<Prose>& sentences) {
  std::string text;
  for (const Prose& sentence : sentences) {
    text += (text.empty() ? "" : text.back() == '.' ? " " : ". ") + plain_prose(sentence);
  }
  return text;
}

}  // namespace perf::reporter
