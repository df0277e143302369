#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reporter/document.h"
#include "reporter/trend/histories.h"
#include "schema/measured.h"
#include "schema/report.h"

namespace perf::reporter::html {

/// Names are ours, values are plain text: escaped as they are written.
using Attributes = std::vector<std::pair<std::string_view, std::string>>;

/// "<tag name="value">": what opens an element.
std::string open(std::string_view tag, const Attributes& attributes = {});

/// An element around content that is HTML already.
std::string element(std::string_view tag, const Attributes& attributes, const std::string& content);

/// An element around plain text.
std::string text_element(std::string_view tag, const Attributes& attributes, std::string_view text);

/// A sentence as HTML. Names out of data are code, sentences out of data are kept apart from the
/// direction of writing around them; what is shortened has its whole text as a tooltip.
std::string html_prose(const Prose& prose);

/// What a page adds to a row.
struct RowDress {
  Attributes attributes{};  ///< of the row and its remarks
  std::string link{};       ///< where its first cell leads: "#w3"; none: nowhere
  std::map<std::string, std::optional<double>> values{};  ///< by column, what it is sorted by
  std::string picture{};                                  ///< HTML of one more cell
};

/// What a page adds to a table.
struct TableDress {
  Attributes attributes{};       ///< of the table
  std::string picture_before{};  ///< title of the column after the pictures; empty: no pictures
  std::string picture_head{};    ///< HTML
  std::vector<RowDress> rows{};  ///< as many as the table has, or none
};

/// A table that scrolls sideways in its own box. Every row is a <tbody> of its own, with its
/// remarks in a second line, so that a script which sorts or hides rows takes both. Class
/// "sortable" among the table's makes list.js sort it; `data-filter` (what the rows are) makes it
/// filter by `data-name` and `data-state` of the rows.
std::string html_table(const Table& table, const TableDress& dress = {});

/// How the report ended: the sentences of the headline under a mark of its mood, which is a sign
/// and a colour.
std::string headline_html(const Document& document);

/// A section with its heading, table, lines and commands; a folded one opens by a click, without a
/// script. `dress` is its table's.
std::string section_html(const Section& section, const TableDress& dress = {});

/// Lines, each a paragraph.
std::string lines_html(const std::vector<Prose>& lines);

/// The body of a page that says what the document says, in its order.
std::string document_body(const Document& document);

/// The headline without dress, for the title of the page.
std::string page_title(const Document& document);

/// A whole page around a body that is HTML already: style and scripts inlined, and a policy that
/// lets it load nothing and run no other script. `title` is plain text.
std::string page(const std::string& title, const std::string& body);

/// The comparisons of one workload with one set of parameters, and what was measured for them. It
/// points into the report and the measurements.
struct WorkloadGroup {
  std::string id;  ///< of its part of the page: "w1"
  std::vector<const Comparison*> comparisons;
  const MeasuredWorkload* measured = nullptr;  ///< null where nothing is known

  const std::string& workload() const { return comparisons.front()->workload; }
  const Params& params() const { return comparisons.front()->params; }
};

/// Every workload of the report, in the order of its first comparison.
std::vector<WorkloadGroup> workload_groups(const Report& report,
                                           const std::vector<MeasuredWorkload>& measured);

/// All there is to know of one workload, folded: its steps, pair differences and memory drawn, how
/// each metric was judged, both sides' statistics, phases, checks, remarks.
/// `is_open` unfolds them from the start.
std::string workload_details(const WorkloadGroup& group, const Report& report, bool is_open);

/// Every series, the most urgent first: a line each with its state, name, present level, noise,
/// last change, points and a small picture, which opens, without a script, to its whole history and
/// all its findings. list.js sorts and filters them, history.js makes the pictures move.
std::string series_list(const Histories& histories);

/// "s12": where the line of a series is on the page.
std::string series_anchor(std::size_t index);

/// A picture of a series that history.js may replace.
std::string history_box(std::size_t index, const std::string& svg);

/// What the script needs of the line of commits, for every series: JSON, safe within a script.
/// {"oid": [12 digits], "subject": [], "day": [], "at": [position less the one before]}. Texts are
/// in their visible form.
std::string line_data(const Histories& histories);

/// What the script needs of one series. Values are in 1/100,000 of the height of its picture, so
/// that two million of them are a file that can be mailed. `at` has the commits of the points as
/// runs: first index, count, ...; `levels` are [from, to, value as people read it].
std::string series_data(const Histories& histories, const TrendSeries& series,
                        const SeriesHistory& history);

// The style sheets and scripts of this folder, as the build found them, and their SHA-256 in
// base64.
extern const char* const kPageStyle;
extern const char* const kPageStyleHash;
extern const char* const kPageScript;
extern const char* const kPageScriptHash;
extern const char* const kListScript;  ///< list.js
extern const char* const kListScriptHash;
extern const char* const kHistoryScript;
extern const char* const kHistoryScriptHash;
extern const char* const kHistoryStyle;  ///< history.css
extern const char* const kHistoryStyleHash;

}  // namespace perf::reporter::html
