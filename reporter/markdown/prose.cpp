#include "reporter/markdown/prose.h"

#include "reporter/escape/markdown.h"
#include "reporter/span_text.h"

namespace perf::reporter {
namespace {

constexpr TextLimits kLimits{200, 1000};
constexpr std::size_t kCommandLimit = 4000;

/// Emphasis must touch its words: spaces at the ends go outside.
std::string emphasized(const std::string& text, const std::string& mark) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) {
    return text;
  }
  const std::size_t last = text.find_last_not_of(' ') + 1;
  return text.substr(0, first) + mark + markdown_text(text.substr(first, last - first)) + mark +
         text.substr(last);
}

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += " " + cell + " |";
  }
  return line + "\n";
}

std::string table_head(const Table& table) {
  std::vector<std::string> titles, rules;
  for (const Column& column : table.columns) {
    titles.push_back(markdown_text(column.title));
    rules.push_back(column.align == Align::right ? "---:" : "---");
  }
  return table_line(titles) + table_line(rules);
}

std::string table_row(const Row& row) {
  std::vector<std::string> cells;
  for (const Prose& cell : row.cells) {
    cells.push_back(markdown_prose(cell, Place::cell));
  }
  return table_line(cells);
}

/// A row's remarks as one item: "- `training/mlp_stack` `step_time`: carried by ...".
std::string remarks_item(const Row& row) {
  std::string item = "- " + markdown_prose(row.subject, Place::line) + ": ";
  for (std::size_t i = 0; i < row.remarks.size(); ++i) {
    item += (i == 0 ? "" : "; ") + markdown_prose(row.remarks[i], Place::cell);
  }
  return item + "\n";
}

void add_table(CappedText& text, const Section& section) {
  std::vector<std::string> rows, items;
  for (const Row& row : section.table.rows) {
    rows.push_back(table_row(row));
    if (!row.remarks.empty()) {
      items.push_back(remarks_item(row));
    }
  }
  text.fixed("\n");
  text.fixed(table_head(section.table));
  text.rows(std::move(rows), section.first_to_cut);
  if (!items.empty()) {
    text.fixed("\n");
    text.rows(std::move(items), section.first_to_cut);
  }
}

/// HTML rather than a fenced block, because there a command can be escaped, and needs no mark that
/// would be copied with it. One row: what is said of a cut must not stand amid commands.
void add_commands(CappedText& text, const Section& section) {
  std::string block = "\n<pre lang=\"sh\"><code>";
  for (const std::string& command : section.commands) {
    block += html_command(span_text(data(command), {0, kCommandLimit})) + "\n";
  }
  text.rows({block + "</code></pre>\n"}, section.first_to_cut);
}

}  // namespace

std::string markdown_prose(const Prose& prose, Place place) {
  std::string line;
  for (const Span& span : prose) {
    const std::string text = span_text(span, kLimits);
    const bool loud = span.tone == Tone::strong || span.tone == Tone::good ||
                      span.tone == Tone::bad || span.tone == Tone::warn;
    if (span.tone == Tone::name || span.tone == Tone::command) {
      line += markdown_code(text);
    } else if (span.tone == Tone::data && place == Place::line && line.empty()) {
      line += markdown_line(text);
    } else if (loud && place != Place::heading) {
      line += emphasized(text, "**");
    } else {
      line += markdown_text(text);
    }
  }
  return line;
}

void add_lines(CappedText& text, const std::vector<Prose>& lines, bool first_to_cut) {
  if (lines.empty()) {
    return;
  }
  std::vector<std::string> rows;
  rows.reserve(lines.size());
  for (const Prose& line : lines) {
    rows.push_back((rows.empty() ? "" : "\\\n") + markdown_prose(line, Place::line));
  }
  text.fixed("\n");
  text.rows(std::move(rows), first_to_cut);
  text.fixed("\n");
}

void add_section(CappedText& text, const Section& section) {
  if (section.folded) {
    text.fixed("\n<details><summary>");
    text.fixed(markdown_text(section.title));
    text.fixed("</summary>\n");
  }
  if (!section.table.rows.empty()) {
    add_table(text, section);
  }
  add_lines(text, section.lines, section.first_to_cut);
  if (!section.commands.empty()) {
    add_commands(text, section);
  }
  if (section.folded) {
    text.fixed("\n</details>\n");
  }
}

}  // namespace perf::reporter
