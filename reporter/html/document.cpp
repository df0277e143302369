#include "reporter/html/document.h"

#include <fmt/format.h>

#include <cmath>

#include "reporter/escape/markup.h"
#include "reporter/escape/visible.h"
#include "reporter/text/span_text.h"
#include "schema/text/lists.h"

namespace perf::reporter::html {
namespace {

constexpr TextLimits kLimits{120, 1000};
constexpr std::size_t kTooltipLimit = 2000;  ///< longer names are cut in tooltips too

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

Attributes aligned(Attributes attributes, Align align) {
  if (align == Align::right) {
    attributes.emplace_back("class", "right");
  }
  return attributes;
}

std::string table_head(const Table& table, const TableDress& dress) {
  std::string cells;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (dress.picture_before == table.columns[i].title) {
      cells += element("th", {{"scope", "col"}, {"class", "drawn"}}, dress.picture_head);
    }
    const Column& column = table.columns[i];
    cells += text_element("th", aligned({{"scope", "col"}}, column.align), column.title);
  }
  return "<thead><tr>" + cells + "</tr></thead>\n";
}

/// The value behind a cell, by which its column is sorted.
Attributes sorted_by(const RowDress& dress, const std::string& column) {
  const auto found = dress.values.find(column);
  if (found == dress.values.end() || !found->second) {
    return {};
  }
  const double value = *found->second;
  return {{"data-value", std::isfinite(value) ? fmt::format("{}", value)
                         : value > 0          ? "1e999"
                                              : "-1e999"}};
}

std::string cells(const Row& row, const Table& table, const TableDress& table_dress,
                  const RowDress& dress) {
  std::string html;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Column& column = table.columns.at(i);
    if (table_dress.picture_before == column.title) {
      html += element("td", {{"class", "drawn"}}, dress.picture);
    }
    std::string content = html_prose(row.cells[i]);
    if (i == 0 && !dress.link.empty()) {
      content = element("a", {{"href", dress.link}}, content);
    }
    Attributes attributes = aligned(sorted_by(dress, column.title), column.align);
    if (i == 0) {
      attributes.emplace_back("scope", "row");
    }
    html += element(i == 0 ? "th" : "td", attributes, content);
  }
  return html;
}

std::string remarks(const Row& row, std::size_t width) {
  std::string items = perf::joined(
      row.remarks, "", [](const Prose& remark) { return element("li", {}, html_prose(remark)); });
  return "<tr class=\"remarks\"><td colspan=\"" + std::to_string(width) + "\"><ul>" + items +
         "</ul></td></tr>";
}

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
  std::string html = perf::joined(commands, "", [](const std::string& line) {
    return text_element("pre", {}, span_text(command(line), {0, kCommandLimit}));
  });
  return html.empty() ? html : element("div", {{"class", "commands"}}, html) + "\n";
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
  return perf::joined(prose, "", [](const Span& span) { return html_span(span); });
}

std::string html_table(const Table& table, const TableDress& dress) {
  static const RowDress kPlain;
  const std::size_t width = table.columns.size() + (dress.picture_before.empty() ? 0 : 1);
  std::string html =
      "<div class=\"scroll\">" + open("table", dress.attributes) + "\n" + table_head(table, dress);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    const RowDress& row_dress = i < dress.rows.size() ? dress.rows[i] : kPlain;
    html += open("tbody", row_dress.attributes) + "<tr>" + cells(row, table, dress, row_dress) +
            "</tr>";
    if (!row.remarks.empty()) {
      html += remarks(row, width);
    }
    html += "</tbody>\n";
  }
  return html + "</table></div>\n";
}

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
  return perf::joined(lines, "",
                      [](const Prose& line) { return element("p", {}, html_prose(line)) + "\n"; });
}

std::string section_html(const Section& section, const TableDress& dress) {
  std::string content = section.above.empty() ? "" : lines_html({section.above});
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
  return headline_html(document) + perf::joined(document.sections, "", [](const Section& section) {
           return section_html(section);
         });
}

std::string page_title(const Document& document) {
  const std::string title =
      document.headline.empty() ? "" : prose_text(document.headline.front(), kTitleLimits);
  return shortened(one_line(title + " - perf-compare"), 200);
}

}  // namespace perf::reporter::html
