#include "schema/formats/series_file.h"

#include <array>
#include <charconv>
#include <limits>

#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::string_view, 3> kColumns{"series", "index", "value"};
constexpr std::array<std::string_view, 5> kGapWords{"", "null", "na", "none", "n/a"};
constexpr const char* kShapes =
    "lines of a name and its values, CSV of series,index,value, or JSON {\"NAME\": [value, ...]}";

/// Infinities and NaN are numbers here.
double number_of(const std::string& text, const std::string& subject) {
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [read, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range) {
    throw Fault(subject + " overflows a double: " + in_quotes(text));
  }
  if (error != std::errc() || read != end) {
    throw Fault(subject + " is not a number: " + in_quotes(text),
                std::string("expected ") + kShapes);
  }
  return value;
}

double value_of(const std::string& text, const std::string& name) {
  const std::string word = lower(text);
  if (std::find(kGapWords.begin(), kGapWords.end(), word) != kGapWords.end()) {
    return kGap;
  }
  const double value = number_of(text, "a value of series " + in_quotes(name));
  if (is_large_integer(text)) {
    throw Fault("a value of series " + in_quotes(name) + " exceeds 2^53: " + text.substr(0, 40),
                "write a rounded number, such as 1e18");
  }
  return std::isfinite(value) ? value : kGap;
}

/// Calls `take(fields)` for every line that has any.
template <typename Take>
void for_each_row(std::string_view text, const std::string& filename, Take take) {
  for_each_line(text, filename, std::string("expected ") + kShapes, [&](std::string_view line) {
    const std::vector<std::string> fields = separated_fields(line);
    if (!fields.empty()) {
      take(fields);
    }
  });
}

bool is_header(const std::vector<std::string>& fields) {
  return std::equal(
      fields.begin(), fields.end(), kColumns.begin(), kColumns.end(),
      [](const std::string& field, std::string_view column) { return lower(field) == column; });
}

/// By its first line; else by three fields on every line and a name that comes twice.
bool is_csv(std::string_view text, const std::string& filename) {
  bool first = true, header = false, three_everywhere = true, twice = false;
  std::set<std::string> names;
  for_each_row(text, filename, [&](const std::vector<std::string>& fields) {
    header = header || (first && is_header(fields));
    first = false;
    three_everywhere = three_everywhere && fields.size() == kColumns.size();
    if (three_everywhere && !twice && !header) {
      twice = !names.insert(fields[0]).second;
    }
  });
  return header || (three_everywhere && twice);
}

class CsvReader {
 public:
  void take(const std::vector<std::string>& fields) {
    if (std::exchange(first_, false) && is_header(fields)) {
      return;
    }
    if (fields.size() != kColumns.size()) {
      throw Fault(std::to_string(fields.size()) + " fields in a line of a CSV of three",
                  "expected series,index,value");
    }
    const auto [found, is_new] = at_.try_emplace(fields[0], points_.size());
    if (is_new) {
      names_.push_back(fields[0]);
      points_.emplace_back();
    }
    const double index = number_of(fields[1], "an index of series " + in_quotes(fields[0]));
    if (!std::isfinite(index)) {
      throw Fault("an index of series " + in_quotes(fields[0]) + " is not finite");
    }
    const double value = value_of(fields[2], fields[0]);
    if (!points_[found->second].try_emplace(index, value).second) {
      throw Fault("duplicate index " + in_quotes(fields[1]) + " of series " + in_quotes(fields[0]));
    }
  }

  std::vector<NamedSeries> finish() const {
    std::vector<NamedSeries> series;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      series.push_back({names_[i], {}});
      for (const auto& [index, value] : points_[i]) {
        series.back().values.push_back(value);
        series.back().indices.push_back(index);
      }
    }
    return series;
  }

 private:
  bool first_ = true;
  std::map<std::string, std::size_t> at_;
  std::vector<std::string> names_;
  std::vector<std::map<double, double>> points_;  ///< value by index
};

std::vector<NamedSeries> read_csv(std::string_view text, const std::string& filename) {
  CsvReader reader;
  for_each_row(text, filename,
               [&](const std::vector<std::string>& fields) { reader.take(fields); });
  return reader.finish();
}

std::vector<NamedSeries> read_lines(std::string_view text, const std::string& filename) {
  std::vector<NamedSeries> all;
  std::set<std::string> names;
  for_each_row(text, filename, [&](const std::vector<std::string>& fields) {
    NamedSeries series{fields[0], {}};
    if (!names.insert(series.name).second) {
      throw Fault("duplicate series " + in_quotes(series.name),
                  "a CSV of series,index,value has three fields on every line");
    }
    for (std::size_t i = 1; i < fields.size(); ++i) {
      series.values.push_back(value_of(fields[i], series.name));
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
    return read_json_series(text, filename);
  }
  std::vector<NamedSeries> series =
      is_csv(text, filename) ? read_csv(text, filename) : read_lines(text, filename);
  if (series.empty()) {
    throw UsageError("no series", filename + ":1", std::string("expected ") + kShapes);
  }
  return series;
}

}  // namespace perf::formats
