#include <utility>

#include "reporter/escape/markdown.h"
#include "reporter/markdown/capped_text.h"
#include "reporter/render.h"
#include "reporter/text/span_text.h"
#include "schema/text/lists.h"
#include "schema/text/text_parts.h"

namespace perf::reporter {
namespace {

constexpr TextLimits kLimits{200, 1000};
constexpr std::size_t kCommandLimit = 4000;

constexpr const char* kMarks[] = {"✅ ", "❌ ", "⚠️ "};  ///< by Mood

/// Where a sentence stands: a line can begin a block by accident, a heading is bold already.
enum class Place { line, cell, heading };

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

/// A sentence as GitHub-flavoured Markdown, escaped, without line ends.
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

std::string table_line(const std::vector<std::string>& cells) {
  return "| " + perf::joined(cells, " | ") + " |\n";
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
  return table_line(
      mapped(row.cells, [](const Prose& cell) { return markdown_prose(cell, Place::cell); }));
}

/// A row's remarks as one item: "- `training/mlp_stack` `step_time`: carried by ...".
std::string remarks_item(const Row& row) {
  return "- " + markdown_prose(row.subject, Place::line) + ": " +
         perf::joined(row.remarks, "; ",
                      [](const Prose& remark) { return markdown_prose(remark, Place::cell); }) +
         "\n";
}

void add_table(CappedText& text, const Section& section) {
  std::vector<std::string> rows, items;
  for (const Row& row : section.table.rows) {
    rows.push_back(table_row(row));
    if (!row.remarks.empty()) {
      items.push_back(remarks_item(row));
    }
  }
  text.fixed("\n" + table_head(section.table));
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

/// Adds sentences as one paragraph, a line each.
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

/// Adds a section: table, remarks of its rows as a list, lines, commands as a code block; folded
/// sections in <details>.
void add_section(CappedText& text, const Section& section) {
  if (section.folded) {
    text.fixed("\n<details><summary>" + markdown_text(section.title) + "</summary>\n");
  }
  if (!section.above.empty()) {
    add_lines(text, {section.above}, section.first_to_cut);
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

std::string written(const Document& document, TextLimit limit) {
  CappedText text(limit);
  const std::vector<Prose>& sentences = document.headline;
  text.fixed(std::string("### ") + kMarks[static_cast<std::size_t>(document.mood)] +
             markdown_prose(sentences.front(), Place::heading) + "\n");
  add_lines(text, {sentences.begin() + 1, sentences.end()}, false);
  for (const Section& section : document.sections) {
    add_section(text, section);
  }
  return text.str();
}

}  // namespace
}  // namespace perf::reporter

namespace perf {

std::string render_markdown(const reporter::Document& document) {
  return reporter::written(document, reporter::kCommentLimit);
}

std::string render_github_summary(const reporter::Document& document, std::size_t limit) {
  // A cut states the limit of a step, however little of it is left for this report.
  return reporter::written(document, {limit, "900 KiB"});
}

}  // namespace perf
