#include "reporter/span_text.h"

#include "reporter/escape/visible.h"

namespace perf::reporter {

std::string span_text(const Span& span, const TextLimits& limits) {
  switch (span.tone) {
    case Tone::name:
      return shortened(one_line(span.text), limits.name);
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
  std::string text;
  for (const Span& span : prose) {
    text += span_text(span, limits);
  }
  return text;
}

}  // namespace perf::reporter
