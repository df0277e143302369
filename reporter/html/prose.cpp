#include "reporter/html/prose.h"

#include "reporter/escape/visible.h"
#include "reporter/escape/xml.h"
#include "reporter/html/element.h"
#include "reporter/span_text.h"

namespace perf::reporter::html {
namespace {

constexpr TextLimits kLimits{120, 1000};
constexpr std::size_t kTooltipLimit = 2000;  ///< a name of 10 kB helps nobody twice

/// Out of data: its own direction of writing, and all of it under the pointer where it is cut.
Attributes data_attributes(const Span& span, const std::string& text) {
  Attributes attributes{{"dir", "auto"}};
  const std::string whole = one_line(span.text);
  if (whole != text) {
    attributes.emplace_back("title", shortened(whole, kTooltipLimit));
  }
  return attributes;
}

std::string html_span(const Span& span) {
  const std::string text = span_text(span, kLimits);
  switch (span.tone) {
    case Tone::plain:
      return xml_text(text);
    case Tone::strong:
      return text_element("strong", {}, text);
    case Tone::good:
      return text_element("strong", {{"class", "good"}}, text);
    case Tone::bad:
      return text_element("strong", {{"class", "bad"}}, text);
    case Tone::warn:
      return text_element("strong", {{"class", "warn"}}, text);
    case Tone::dim:
      return text_element("span", {{"class", "dim"}}, text);
    case Tone::number:
      return text_element("span", {{"class", "number"}}, text);
    case Tone::name:
    case Tone::command:
      return text_element("code", data_attributes(span, text), text);
    case Tone::data:
      return text_element("bdi", data_attributes(span, text), text);
  }
  return {};
}

}  // namespace

std::string html_prose(const Prose& prose) {
  std::string html;
  for (const Span& span : prose) {
    html += html_span(span);
  }
  return html;
}

}  // namespace perf::reporter::html
