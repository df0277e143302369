#include "reporter/markdown/document.h"

#include <string_view>

#include "reporter/markdown/prose.h"

namespace perf::reporter {
namespace {

std::string_view mark_of(Mood mood) {
  switch (mood) {
    case Mood::good:
      return "✅ ";
    case Mood::bad:
      return "❌ ";
    case Mood::unsettled:
      return "⚠️ ";
  }
  return {};
}

}  // namespace

std::string markdown_document(const Document& document, TextLimit limit) {
  CappedText text(limit);
  const std::vector<Prose>& sentences = document.headline;
  text.fixed("### ");
  text.fixed(std::string(mark_of(document.mood)) +
             markdown_prose(sentences.front(), Place::heading) + "\n");
  add_lines(text, {sentences.begin() + 1, sentences.end()}, false);
  for (const Section& section : document.sections) {
    add_section(text, section);
  }
  return text.str();
}

}  // namespace perf::reporter
