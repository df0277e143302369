#include "reporter/text/span_text.h"

#include "reporter/escape/visible.h"
#include "schema/text/lists.h"

namespace perf::reporter {

std::string span_text(const Span& span, const TextLimits& limits) {
  switch (span.tone) {
    case Tone::name:
      return shortened(one_line(span.text), limits.name, limits.tail);
    case Tone::data:
    case Tone::command:
      return shortened(one_line(span.text), limits.data);
    case Tone::number:  // units come from data
      return shortened(visible(span.text), limits.name);
    default:
      return visible(span.text);
  }
}

std::string prose_text(const Prose& prose, const TextLimits& limits) {
  return perf::joined(prose, "", [&](const Span& span) { return span_text(span, limits); });
}

std::string plain_prose(const Prose& prose) {
  return prose_text(prose, {200, 1000});
}

std::string plain_sentences(const std::vector<Prose>& sentences) {
  std::string text;
  for (const Prose& sentence : sentences) {
    text += (text.empty() ? "" : text.back() == '.' ? " " : ". ") + plain_prose(sentence);
  }
  return text;
}

}  // namespace perf::reporter
