#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perf::reporter {

/// What a piece of text is, so that every output can escape and dress it in its own way.
enum class Tone {
  plain,    ///< our own words
  strong,   ///< our own words, to be seen first
  good,     ///< our own words, good news
  bad,      ///< our own words, bad news
  warn,     ///< our own words, not settled
  dim,      ///< our own words, for the second look
  number,   ///< scaled values: never broken over two lines
  name,     ///< a name out of data: code in Markdown
  data,     ///< a sentence out of data: a subject, a note
  command,  ///< a command line to copy: code in Markdown
};

struct Span {
  Span(const char* our_words) : text(our_words) {}
  Span(Tone what, std::string said) : tone(what), text(std::move(said)) {}

  Tone tone = Tone::plain;
  std::string text;
};

/// Where to find what an output leaves out, for brackets.
inline constexpr const char* kInFullElsewhere = "in full with --html, --markdown or --json";
inline constexpr const char* kInFullBelow = "in full below";

/// A sentence. Nothing in it is escaped yet: the writer of each output escapes every span, ours
/// too, so that no path leads from data to an output around its escaper.
using Prose = std::vector<Span>;

inline Span words(std::string text) {
  return {Tone::plain, std::move(text)};
}
inline Span strong(std::string text) {
  return {Tone::strong, std::move(text)};
}
inline Span good(std::string text) {
  return {Tone::good, std::move(text)};
}
inline Span bad(std::string text) {
  return {Tone::bad, std::move(text)};
}
inline Span warn(std::string text) {
  return {Tone::warn, std::move(text)};
}
inline Span dim(std::string text) {
  return {Tone::dim, std::move(text)};
}
inline Span number(std::string text) {
  return {Tone::number, std::move(text)};
}
inline Span name(std::string text) {
  return {Tone::name, std::move(text)};
}
inline Span data(std::string text) {
  return {Tone::data, std::move(text)};
}

inline Span command(std::string text) {
  return {Tone::command, std::move(text)};
}

inline void append(Prose& prose, Span span) {
  prose.push_back(std::move(span));
}
inline void append(Prose& prose, const Prose& more) {
  prose.insert(prose.end(), more.begin(), more.end());
}

/// Spans and sentences, one after the other.
template <typename First, typename Second, typename... Pieces>
void append(Prose& prose, First first, Second second, Pieces... pieces) {
  append(prose, std::move(first));
  append(prose, std::move(second));
  (append(prose, std::move(pieces)), ...);
}

/// The same as one sentence.
template <typename... Pieces>
Prose joined(Pieces... pieces) {
  Prose prose;
  append(prose, std::move(pieces)...);
  return prose;
}

/// Appends sentences.
inline void append(std::vector<Prose>& lines, std::vector<Prose> more) {
  std::move(more.begin(), more.end(), std::back_inserter(lines));
}

/// The same of one sentence, unless it is empty.
inline void keep(std::vector<Prose>& lines, Prose line) {
  if (!line.empty()) {
    lines.push_back(std::move(line));
  }
}

enum class Align { left, right };

struct Column {
  Column(const char* text) : title(text) {}
  Column(std::string text, Align side = Align::left) : title(std::move(text)), align(side) {}

  std::string title;
  Align align = Align::left;
};

/// A column of figures.
inline Column right(std::string title) {
  return {std::move(title), Align::right};
}

/// A row of a table, and what there is to say about it. The terminal says it right below the row,
/// Markdown below the table, after `subject`.
struct Row {
  std::vector<Prose> cells;
  Prose subject{};
  std::vector<Prose> remarks{};
};

struct Table {
  std::vector<Column> columns{};
  std::vector<Row> rows{};
};

/// Where the column with that title stands; it must exist.
std::size_t place_of(const Table& table, std::string_view title);
Column& column_named(Table& table, std::string_view title);
/// Puts a column, with a cell for each row, before the one with that title.
void insert_column(Table& table, std::string_view before, Column column, std::vector<Prose> cells);
void erase_column(Table& table, std::string_view title);

/// Sections that an output may lay out in its own way, because it has more to show of them.
enum class Part { other, changed, everything };

/// A part of a report: a line, a table, more lines, commands; each may be empty.
struct Section {
  std::string title{};  ///< none: follows the section above; a page shows it, others where folded
  bool folded = false;  ///< for the second look: Markdown folds it, the terminal leaves it out
  bool first_to_cut = false;  ///< where an output has a limit, its rows go first
  Prose above{};              ///< a line above the table
  Table table{};
  std::vector<Prose> lines{};
  std::vector<std::string> commands{};
  Part part = Part::other;
};

/// Appends a section, unless there is nothing in it.
inline void keep(std::vector<Section>& sections, Section section) {
  if (!section.above.empty() || !section.table.rows.empty() || !section.lines.empty() ||
      !section.commands.empty()) {
    sections.push_back(std::move(section));
  }
}

/// How a report ended, for a mark or a colour beside the headline.
enum class Mood { good, bad, unsettled };

/// A report for people, in reading order, before any output format.
struct Document {
  Mood mood = Mood::good;
  std::vector<Prose> headline{};  ///< sentences, the one that decides first
  std::vector<Section> sections{};
  std::vector<std::string> again{};  ///< commands, said where folded sections are left out
};

}  // namespace perf::reporter
