#include "schema/formats/reading.h"

namespace perf::formats {
namespace {

constexpr std::string_view kBetween = " \t\r\v\f";

class FieldReader {
 public:
  FieldReader(std::string_view line, char separator)
      : rest_(trimmed(line, kBetween)),
        separator_(separator),
        ends_(separator == ',' ? std::string(kBetween) + ',' : std::string(1, separator)) {}

  bool at_end() const { return rest_.empty(); }

  std::string field() { return !rest_.empty() && rest_.front() == '"' ? quoted() : plain(); }

  /// What parts two fields: the separator, two tabs as `\n`, a tab, or a blank; nothing at the end.
  std::optional<char> between() {
    const std::string_view blanks = take_blanks();
    if (!rest_.empty() && rest_.front() == separator_) {
      rest_.remove_prefix(1);
      take_blanks();
      return separator_;
    }
    const auto tabs = std::ranges::count(blanks, '\t');
    return rest_.empty() ? std::nullopt : std::optional(tabs > 1 ? '\n' : tabs > 0 ? '\t' : ' ');
  }

 private:
  std::string_view take_blanks() {
    const std::string_view blanks =
        rest_.substr(0, std::min(rest_.find_first_not_of(kBetween), rest_.size()));
    rest_.remove_prefix(blanks.size());
    return blanks;
  }

  std::string plain() {
    const std::string_view read = rest_.substr(0, rest_.find_first_of(ends_));
    rest_.remove_prefix(read.size());
    return std::string(trimmed(read, kBetween));
  }

  std::string quoted() {
    std::string read;
    rest_.remove_prefix(1);
    while (!rest_.empty()) {
      const bool quote = rest_.front() == '"';
      if (quote && (rest_.size() == 1 || rest_[1] != '"')) {
        rest_.remove_prefix(1);
        break;
      }
      read += rest_.front();
      rest_.remove_prefix(quote ? 2 : 1);
    }
    return read;
  }

  std::string_view rest_;
  char separator_;
  std::string ends_;  ///< of a field without quotes
};

}  // namespace

SeparatedFields separated_fields(std::string_view line, char separator) {
  FieldReader reader(line, separator);
  SeparatedFields read;
  read.name_is_quoted = !reader.at_end() && trimmed(line, kBetween).front() == '"';
  for (bool more = !reader.at_end(); more;) {
    read.fields.push_back(reader.field());
    const std::optional<char> between = reader.between();
    more = between.has_value();
    if (more) {
      read.between += *between;
    }
  }
  return read;
}

}  // namespace perf::formats
