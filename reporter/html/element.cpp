#include "reporter/html/element.h"

#include "reporter/escape/xml.h"

namespace perf::reporter::html {

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

}  // namespace perf::reporter::html
