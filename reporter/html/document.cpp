#include "reporter/html/document.h"

#include "reporter/escape/visible.h"
#include "reporter/html/element.h"
#include "reporter/span_text.h"

namespace perf::reporter::html {
namespace {

constexpr TextLimits kTitleLimits{60, 100};
constexpr std::size_t kCommandLimit = 4000;

struct Sign {
  const char *classes, *mark, *said;
};
constexpr Sign kSigns[] = {  // by Mood
    {"verdict good", "\u2713", "good"},
    {"verdict bad", "\u2717", "bad"},
    {"verdict warn", "?", "unsettled"}};

std::string commands_html(const std::vector<std::string>& commands) {
  std::string html;
  for (const std::string& line : commands) {
    html += text_element("pre", {}, span_text(command(line), {0, kCommandLimit}));
  }
  return html.empty() ? html : element("div", {{"class", "commands"}}, html) + "\n";
}

}  // namespace

std::string headline_html(const Document& document) {
  const Sign& sign = kSigns[static_cast<std::size_t>(document.mood)];
  std::string html = text_element(
      "span", {{"class", "mark"}, {"role", "img"}, {"aria-label", sign.said}}, sign.mark);
  std::string sentences;
  for (std::size_t i = 0; i < document.headline.size(); ++i) {
    sentences += element(i == 0 ? "h1" : "p", {}, html_prose(document.headline[i])) + "\n";
  }
  return element("header", {{"class", sign.classes}}, html + element("div", {}, sentences)) + "\n";
}

std::string lines_html(const std::vector<Prose>& lines) {
  std::string html;
  for (const Prose& line : lines) {
    html += element("p", {}, html_prose(line)) + "\n";
  }
  return html;
}

std::string section_html(const Section& section, const TableDress& dress) {
  std::string content;
  if (!section.table.rows.empty()) {
    content += html_table(section.table, dress);
  }
  content += lines_html(section.lines) + commands_html(section.commands);
  if (section.folded) {
    return element("details", {}, text_element("summary", {}, section.title) + "\n" + content) +
           "\n";
  }
  const std::string heading =
      section.title.empty() ? "" : text_element("h2", {}, section.title) + "\n";
  return element("section", {}, heading + content) + "\n";
}

std::string document_body(const Document& document) {
  std::string body = headline_html(document);
  for (const Section& section : document.sections) {
    body += section_html(section);
  }
  return body;
}

std::string page_title(const Document& document) {
  const std::string title =
      document.headline.empty() ? "" : prose_text(document.headline.front(), kTitleLimits);
  return shortened(one_line(title + " - perf-compare"), 200);
}

}  // namespace perf::reporter::html
