#include "reporter/html/element.h"

#include "reporter/escape/markup.h"
#include "reporter/escape/visible.h"
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

/// A span of ours is an element of a class, or plain text.
std::string html_span(const Span& span) {
  const std::string text = span_text(span, kLimits);
  switch (span.tone) {
    case Tone::plain:
      return xml_text(text);
    case Tone::name:
    case Tone::command:
      return text_element("code", data_attributes(span, text), text);
    case Tone::data:
      return text_element("bdi", data_attributes(span, text), text);
    case Tone::strong:
      return text_element("strong", {}, text);
    case Tone::dim:
    case Tone::number:
      return text_element("span", {{"class", span.tone == Tone::dim ? "dim" : "number"}}, text);
    default:
      return text_element("strong",
                          {{"class", span.tone == Tone::good  ? "good"
                                     : span.tone == Tone::bad ? "bad"
                                                              : "warn"}},
                          text);
  }
}

}  // namespace

std::string open(std::string_view tag, const Attributes& attributes) {
  std::string text = "<" + std::string(tag);
  for (const auto& [name, value] : attributes) {
    text += " " + std::string(name) + "=\"" + xml_text(value) + "\"";
  }
  return text + ">";
}

std::string element(std::string_view tag, const Attributes& attributes,
                    const std::string& content) {
  return open(tag, attributes) + content + "</" + std::string(tag) + ">";
}

std::string text_element(std::string_view tag, const Attributes& attributes,
                         std::string_view text) {
  return element(tag, attributes, xml_text(text));
}

std::string html_prose(const Prose& prose) {
  std::string html;
  for (const Span& span : prose) {
    html += html_span(span);
  }
  return html;
}

}  // namespace perf::reporter::html
