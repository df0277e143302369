#include "schema/formats/series_file.h"

#include <array>
#include <charconv>
#include <limits>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 5> kGapWords{"", "null", "na", "none", "n/a"};
constexpr const char* kShapes =
    "lines of a name and its values, CSV of series,index,value, or JSON {\"NAME\": [value, ...]}";
constexpr const char* kOneSeries =
    "leave that column out and begin with a line \"value\"; or write index,value with numbers as "
    "index";
constexpr const char* kOneLineEach =
    "leave that column out, and write each other one as a line: its name, then its values";
constexpr const char* kFromJsonLines =
    "write CSV: (echo series,value; jq -r '[.NAME, .VALUE] | @csv' FILE)";

constexpr const char* kAreDates = "the first column has dates, not names of series";
constexpr const char* kAreCommits = "the first column has commit ids, not names of series";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// "2024-03-01", also with a time behind it; "01.03.2024", "3/1/2024".
bool is_date(std::string_view text) {
  constexpr std::size_t kYear = 4, kDay = 2;
  std::vector<std::size_t> digits;
  const std::size_t sign = text.find_first_of("-./");
  const char between = sign == text.npos ? ' ' : text[sign];
  for (std::string_view rest = text.substr(0, text.find_first_of("T "));;) {
    const std::string_view part = rest.substr(0, rest.find(between));
    digits.push_back(is_digits(part) ? part.size() : 0);
    if (part.size() == rest.size()) {
      break;
    }
    rest.remove_prefix(part.size() + 1);
  }
  const auto is_short = [](std::size_t count) { return count >= 1 && count <= kDay; };
  return digits.size() == 3 && is_short(digits[1]) &&
         ((digits[0] == kYear && is_short(digits[2])) ||
          (is_short(digits[0]) && digits[2] == kYear));
}

/// "7cd9055", which may be a number, too: "12345e7".
bool is_commit(std::string_view text) {
  constexpr std::size_t kShortest = 7, kLongest = 64;
  return text.size() >= kShortest && text.size() <= kLongest &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

/// Infinities and NaN are numbers here.
double number_of(const std::string& text, const std::string& subject) {
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [read, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    throw Fault(subject + " is outside the range of a double: " + in_quotes(text),
                "write it in a larger or smaller unit, or as NA");
  }
  if (error != std::errc() || read != end) {
    const bool has_comma = text.find(',') != std::string::npos;
    const std::string_view unit(read, static_cast<std::size_t>(end - read));
    const bool has_unit = read != begin && unit.find_first_of("0123456789") == unit.npos;
    throw Fault(subject + " is not a number: " + in_quotes(text),
                has_comma  ? "write 1234.5: a decimal point, no separators of thousands"
                : has_unit ? "write it without a unit: " + std::string(begin, read)
                           : std::string("expected ") + kShapes);
  }
  if (is_large_integer(text)) {
    throw Fault(subject + " exceeds 2^53: " + text.substr(0, 40),
                "write a rounded number, such as 1e18");
  }
  return value;
}

double value_of(const std::string& text, const std::string& name) {
  const std::string word = lower(text);
  if (std::ranges::find(kGapWords, word) != kGapWords.end() || is_non_number(text)) {
    return kGap;
  }
  const double value = number_of(text, "a value of series " + in_quotes(name));
  if (text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9') {
    throw Fault("a value of series " + in_quotes(name) + " has leading zeros: " + in_quotes(text),
                "write 1234.5: no separators of thousands");
  }
  return std::isfinite(value) ? value : kGap;
}

/// Of a line: `;` where it has one, else a comma or blanks.
char separator_of(std::string_view line) {
  return separated_fields(line, ';').between.find(';') != std::string::npos ? ';' : ',';
}

bool is_comment(std::string_view line) {
  if (!line.starts_with('#')) {
    return false;
  }
  if (line.size() > 1 && std::string_view("# \t!").find(line[1]) == std::string_view::npos) {
    throw Fault("neither a comment nor a name: " + in_quotes(line.substr(0, 40)),
                "write a blank after the #, or the name in double quotes");
  }
  return true;
}

/// Calls `take(fields)` for every line that has any. Between fields are either blanks, a tab, or a
/// comma: else a comma or blank may be part of a number or name.
template <typename Take>
void for_each_row(std::string_view text, const std::string& filename, Take take) {
  char separator = 0;
  for_each_line(text, filename, std::string("expected ") + kShapes, [&](std::string_view raw) {
    const std::string_view line = trimmed(raw, " \t\r\v\f");
    if (line.empty() || is_comment(line)) {
      return;
    }
    separator = separator == 0 ? separator_of(line) : separator;
    const SeparatedFields row = separated_fields(line, separator);
    const std::string between =
        row.between.substr(row.name_is_quoted && !row.between.empty() ? 1 : 0);
    if (between.find('\n') != std::string::npos) {
      throw Fault("several tabs in a row", "write NA for a missing value");
    }
    if (!between.empty() && between.find_first_not_of(between[0]) != std::string::npos) {
      if (is_date(row.fields[0])) {
        throw Fault(kAreDates, kOneSeries);
      }
      throw Fault("different separators in one line",
                  "use blanks or commas; put a name with blanks in double quotes; write 1234.5 "
                  "without a decimal comma or thousands");
    }
    take(row);
  });
}

/// Where a line of one value has its parts.
struct Columns {
  std::optional<std::size_t> series{}, index{}, value{};
  std::size_t count = 0;
  bool has_header = false;
};

/// Of a first line that names a column "value"; other columns are passed over where one is "index".
std::optional<Columns> header_of(const std::vector<std::string>& fields) {
  Columns columns;
  columns.count = fields.size();
  columns.has_header = true;
  bool has_others = false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string word = lower(fields[i]);
    std::optional<std::size_t>* const column = word == "value"   ? &columns.value
                                               : word == "index" ? &columns.index
                                               : word == "series" || word == "name"
                                                   ? &columns.series
                                                   : nullptr;
    if (column == nullptr) {
      has_others = true;
    } else if (column->has_value()) {
      throw Fault("duplicate column " + in_quotes(fields[i]), "name them series, index, value");
    } else {
      *column = i;
    }
  }
  if (!columns.value || (has_others && !columns.series && !columns.index)) {
    return std::nullopt;
  }
  if (has_others && !columns.index) {
    throw Fault("no column \"index\"", "name one so, or leave only series,value, in order");
  }
  return columns;
}

/// By the first line; else by two or three fields on every line and a name that comes twice.
std::optional<Columns> columns_of(std::string_view text, const std::string& filename) {
  std::optional<Columns> header;
  std::size_t count = 0;
  bool first = true, same_count = true, twice = false;
  std::set<std::string> names;
  for_each_row(text, filename, [&](const SeparatedFields& row) {
    if (std::exchange(first, false)) {
      header = header_of(row.fields);
      count = row.fields.size();
    }
    same_count = same_count && row.fields.size() == count;
    if (same_count && !twice && !header) {
      twice = !names.insert(row.fields[0]).second;
    }
  });
  if (header || !same_count || !twice || (count != 2 && count != 3)) {
    return header;
  }
  return count == 2 ? Columns{0, std::nullopt, 1, count} : Columns{0, 1, 2, count};
}

/// Refuses a file whose lines begin with points in time in place of names. A first line without a
/// number names columns.
void refuse_points(std::string_view text, const std::string& filename) {
  std::vector<std::string> first;  // of each line
  std::size_t header = 0, values = 0;
  for_each_row(text, filename, [&](const SeparatedFields& row) {
    const auto numbers = static_cast<std::size_t>(
        std::count_if(row.fields.begin() + 1, row.fields.end(),
                      [](const std::string& field) { return parsed<double>(field).has_value(); }));
    header = first.empty() && numbers == 0 ? 1 : header;
    values = std::max(values, numbers);
    first.push_back(row.fields[0]);
  });
  const auto begin = first.begin() + static_cast<std::ptrdiff_t>(header);
  const bool are_dates = std::all_of(begin, first.end(), is_date);
  const bool are_commits =
      std::all_of(begin, first.end(), is_commit) &&
      !std::all_of(begin, first.end(), [](const std::string& one) { return is_digits(one); });
  constexpr std::ptrdiff_t kFewest = 2;
  if (first.end() - begin < kFewest || !(are_dates || are_commits) || (header == 0 && values > 1)) {
    return;  // a series may be named after the day of its values
  }
  std::size_t at = 0;
  for_each_row(text, filename, [&](const SeparatedFields&) {
    if (at++ == header) {
      throw Fault(are_dates ? kAreDates : kAreCommits, values > 1 ? kOneLineEach : kOneSeries);
    }
  });
}

/// The first field of a line without a header.
const std::string& name_of(const SeparatedFields& row) {
  const std::string& name = row.fields[0];
  if (!row.name_is_quoted && (name.empty() || parsed<double>(name))) {
    throw Fault("no name before the values, but " + in_quotes(name),
                "begin each line with a name; of one value a line, make the first line \"value\"");
  }
  return name;
}

class CsvReader {
 public:
  explicit CsvReader(const Columns& columns) : columns_(columns) {}

  void take(const SeparatedFields& row) {
    if (std::exchange(first_, false) && columns_.has_header) {
      return;
    }
    if (row.fields.size() != columns_.count) {
      throw Fault(std::to_string(row.fields.size()) + " fields in a line of a CSV of " +
                      std::to_string(columns_.count),
                  "expected series,index,value");
    }
    const std::string& name = !columns_.series      ? kNameless
                              : columns_.has_header ? row.fields[*columns_.series]
                                                    : name_of(row);
    const auto [found, is_new] = at_.try_emplace(name, points_.size());
    if (is_new) {
      names_.push_back(name);
      points_.emplace_back();
    }
    std::map<double, double>& points = points_[found->second];
    double index = static_cast<double>(points.size());
    if (columns_.index) {
      const std::string& point = row.fields[*columns_.index];
      if (is_date(point) || (is_commit(point) && !parsed<double>(point))) {
        throw Fault(
            "an index of series " + in_quotes(name) + " is not a number: " + in_quotes(point),
            "number them 1, 2, 3 in the order of time, or write seconds since 1970");
      }
      index = number_of(point, "an index of series " + in_quotes(name));
      if (!std::isfinite(index)) {
        throw Fault("an index of series " + in_quotes(name) + " is not finite");
      }
    }
    if (!points.try_emplace(index, value_of(row.fields[*columns_.value], name)).second) {
      throw Fault("duplicate index " + in_quotes(row.fields[*columns_.index]) + " of series " +
                  in_quotes(name));
    }
  }

  std::vector<NamedSeries> finish() const {
    std::vector<NamedSeries> series;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      series.push_back({names_[i], {}});
      for (const auto& [index, value] : points_[i]) {
        series.back().values.push_back(value);
        if (columns_.index) {
          series.back().indices.push_back(index);
        }
      }
    }
    return series;
  }

 private:
  inline static const std::string kNameless = "value";

  Columns columns_;
  bool first_ = true;
  std::map<std::string, std::size_t> at_;
  std::vector<std::string> names_;
  std::vector<std::map<double, double>> points_;  ///< value by index
};

std::vector<NamedSeries> read_csv(std::string_view text, const std::string& filename,
                                  const Columns& columns) {
  CsvReader reader(columns);
  for_each_row(text, filename, [&](const SeparatedFields& row) { reader.take(row); });
  return reader.finish();
}

std::vector<NamedSeries> read_lines(std::string_view text, const std::string& filename) {
  std::vector<NamedSeries> all;
  std::set<std::string> names;
  for_each_row(text, filename, [&](const SeparatedFields& row) {
    NamedSeries series{name_of(row), {}};
    if (!names.insert(series.name).second) {
      throw Fault("duplicate series " + in_quotes(series.name),
                  "write all its values in one line, or name the other one differently");
    }
    for (std::size_t i = 1; i < row.fields.size(); ++i) {
      series.values.push_back(value_of(row.fields[i], series.name));
    }
    all.push_back(std::move(series));
  });
  return all;
}

/// Bare NaN and Infinity have become empty texts.
bool is_gap(const JsonValue& value) {
  const std::string* text = std::get_if<std::string>(&value.data);
  return value.is_null() || (text != nullptr && text->empty());
}

std::vector<NamedSeries> read_json_series(std::string_view text, const std::string& filename) {
  const auto read = [](const JsonValue& root) {
    std::vector<NamedSeries> all;
    for (const JsonMember& member : as_object(root, "the file")) {
      NamedSeries series{member.name, {}};
      const std::string subject = "series " + in_quotes(member.name);
      for (const JsonValue& item : as_array(member.value, subject)) {
        series.values.push_back(is_gap(item) ? kGap : as_number(item, "a value of " + subject));
      }
      all.push_back(std::move(series));
    }
    return all;
  };
  return read_json_document(text, filename, read, std::string("expected ") + kShapes);
}

/// Whether each line is a JSON text of its own.
bool is_json_lines(std::string_view text) {
  const std::string_view first = trimmed(take_line(text));
  text = trimmed(text, " \t\r\n");
  try {
    return (text.starts_with('{') || text.starts_with('[')) && !read_foreign_json(first).is_null();
  } catch (const JsonFault&) {
    return false;
  }
}

}  // namespace

std::vector<NamedSeries> read_series_file(std::string_view text, const std::string& filename) {
  if (text.size() > kLargestText) {
    throw UsageError("more than 64 MiB", filename, "split the file");
  }
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  const std::string_view content = trimmed(text, " \t\r\n");
  if (content.starts_with('{') || content.starts_with('[')) {
    if (is_json_lines(content)) {
      throw UsageError("JSON Lines, each line a text of its own", filename + ":1", kFromJsonLines);
    }
    return read_json_series(text, filename);
  }
  const std::optional<Columns> columns = columns_of(text, filename);
  if (!columns || !columns->has_header) {
    refuse_points(text, filename);
  }
  std::vector<NamedSeries> series =
      columns ? read_csv(text, filename, *columns) : read_lines(text, filename);
  if (std::ranges::all_of(series, [](const NamedSeries& one) { return one.values.empty(); })) {
    throw UsageError(series.empty() ? "no series" : "names without values", filename + ":1",
                     std::string("expected ") + kShapes);
  }
  constexpr std::size_t kFewestPoints = 6;  // of a step, 3 on either side
  if (!columns && series.size() >= kFewestPoints &&
      std::ranges::all_of(series, [](const NamedSeries& one) { return one.values.size() == 1; })) {
    throw UsageError("each line has a name of its own, and one value", filename + ":1",
                     std::string("if they are one series: ") + kOneSeries);
  }
  return series;
}

}  // namespace perf::formats
